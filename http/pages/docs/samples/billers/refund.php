<?php
require_once 'cauri.php';

$payment = cauri('GET', '/v1/biz/bill-payments?limit=1')['data'][0];
echo $payment['product'], ' ', $payment['amount'], ' ', $payment['fulfillment']['state'], "\n";
$id = $payment['transaction_id'];
echo cauri('POST', "/v1/biz/bill-payments/$id/refund", null, "refund-$id")['state'], "\n";
