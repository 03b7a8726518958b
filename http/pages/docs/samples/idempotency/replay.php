<?php
require_once 'cauri.php';

$line = ['recipient' => '@awa_demo', 'amount' => 25000, 'reference' => 'PAIE-2026-11'];
$first = cauri('POST', '/v1/biz/payouts', $line, 'payroll-2026-11-awa-php');
$again = cauri('POST', '/v1/biz/payouts', $line, 'payroll-2026-11-awa-php');
var_dump($first['id'] === $again['id']);
