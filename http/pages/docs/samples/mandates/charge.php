<?php
require_once 'cauri.php';

$mandate = cauri('GET', '/v1/biz/mandates?state=active&reference=CONSO-7')['data'][0];
$body = ['amount' => 3200, 'reference' => 'CONSO-7-2026-11'];
$payment = cauri('POST', "/v1/biz/mandates/{$mandate['id']}/charges", $body, 'conso-7-2026-11');
echo $payment['state'], ' ', $payment['transaction_id'], "\n";
