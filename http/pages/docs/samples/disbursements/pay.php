<?php
require_once 'cauri.php';

$items = [
    ['recipient' => '@awa_demo', 'amount' => 150000, 'reference' => 'PAIE-2026-12-AWA'],
    ['recipient' => '@kofi_demo', 'amount' => 120000, 'reference' => 'PAIE-2026-12-KOFI'],
];
$key = 'payroll-2026-12-php';
$made = cauri('POST', '/v1/biz/disbursements', ['items' => $items, 'reference' => 'PAIE-2026-12'], $key);
echo $made['valid_count'], ' can be paid, ', $made['invalid_count'], " cannot\n";
$path = "/v1/biz/disbursements/{$made['id']}";
$record = cauri('POST', "$path/start", null, "$key/start");
// It also rests where a person must act: paused without balance, or awaiting_approval.
while ($record['state'] === 'running') {
    sleep(1);
    $record = cauri('GET', $path);
}
echo $record['state'], ' ', $record['pause_reason'] ?? '', ' ', $record['paid_count'], " paid\n";
