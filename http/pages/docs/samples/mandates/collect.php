<?php
require_once 'cauri.php';

$mandate = cauri('GET', '/v1/biz/mandates?state=active&reference=ABO-118')['data'][0];
$payment = cauri('POST', "/v1/biz/test/mandates/{$mandate['id']}/collect");
echo $payment['state'], ' ', $payment['amount'], "\n";
