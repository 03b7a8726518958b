<?php
require_once 'cauri.php';

$endpoint = cauri('GET', '/v1/biz/webhook-endpoints')['data'][0];
$rotated = cauri('POST', "/v1/biz/webhook-endpoints/{$endpoint['id']}/rotate-secret", ['overlap_seconds' => 86400]);
// Store the new secret. For a day each delivery is signed with both.
echo $endpoint['url'], ' ', substr($rotated['secret'], 0, 6), "\n";
