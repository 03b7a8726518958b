<?php
require_once 'cauri.php';

$schedule = cauri('POST', '/v1/biz/payout-schedules', [
    'recurrence' => 'monthly',
    'start_at' => '2099-11-30T08:00:00Z',
    'reference' => 'PAIE',
    'items' => [['recipient' => '@awa_demo', 'amount' => 150000]],
]);
echo $schedule['id'], ' ', $schedule['state'], "\n";
