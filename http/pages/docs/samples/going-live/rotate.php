<?php
require_once 'cauri.php';

// The id of the answer that made the endpoint; GET /v1/biz/webhook-endpoints lists it.
$id = getenv('ENDPOINT_ID');
$rotated = cauri('POST', "/v1/biz/webhook-endpoints/$id/rotate-secret", ['overlap_seconds' => 86400]);
// Store the new secret. For a day each delivery is signed with both.
echo $rotated['url'], ' ', substr($rotated['secret'], 0, 6), "\n";
