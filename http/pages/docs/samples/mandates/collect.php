<?php
require_once 'cauri.php';

// The id that you stored with the subscription.
$id = getenv('MANDATE_ID');
$payment = cauri('POST', "/v1/biz/test/mandates/$id/collect");
echo $payment['state'], ' ', $payment['amount'], "\n";
