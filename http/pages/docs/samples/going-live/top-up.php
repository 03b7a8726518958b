<?php
require_once 'cauri.php';

$topUp = cauri('POST', '/v1/biz/top-ups', ['amount' => 500000, 'reference' => 'APPRO-11'], 'appro-2026-11');
echo $topUp['state'], ' ', $topUp['payment_reference'], "\n", $topUp['instructions'], "\n";
