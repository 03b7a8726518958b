<?php
require_once 'cauri.php';

$payout = cauri('POST', '/v1/biz/payouts', ['recipient' => '@awa_demo', 'amount' => 5000, 'reference' => 'PREMIER']);
echo $payout['id'], ' ', $payout['state'], ' ', $payout['failure_code'] ?? '', "\n";
