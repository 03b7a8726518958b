<?php
require_once 'cauri.php';

// The id that you stored with the subscription.
$id = getenv('USAGE_MANDATE_ID');
$body = ['amount' => 3200, 'reference' => 'CONSO-7-2026-11'];
$payment = cauri('POST', "/v1/biz/mandates/$id/charges", $body, 'conso-7-2026-11');
echo $payment['state'], ' ', $payment['transaction_id'], "\n";
