<?php
require_once 'cauri.php';

$paid = cauri('GET', '/v1/biz/charges?state=paid&limit=1')['data'][0];
$charge = cauri('POST', "/v1/biz/charges/{$paid['token']}/refund", null, "refund-{$paid['token']}");
echo $charge['state'], "\n";
