<?php
require_once 'cauri.php';

// The token that you stored with the order.
$token = getenv('CHARGE_TOKEN');
$charge = cauri('POST', "/v1/biz/charges/$token/refund", null, "refund-$token");
echo $charge['state'], "\n";
