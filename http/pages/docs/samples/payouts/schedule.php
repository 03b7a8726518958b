<?php
require_once 'cauri.php';

$schedule = cauri('POST', '/v1/biz/payout-schedules', [
    'recurrence' => 'monthly',
    'start_at' => gmdate('Y-m-d\TH:i:s\Z', time() + 86400),
    'reference' => 'PAIE',
    'items' => [['recipient' => '@awa_demo', 'amount' => 150000]],
]);
echo $schedule['id'], ' ', $schedule['state'], "\n";
