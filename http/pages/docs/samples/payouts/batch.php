<?php
require_once 'cauri.php';

$items = [
    ['recipient' => '@awa_demo', 'amount' => 150000, 'reference' => 'PAIE-2026-11-AWA'],
    ['recipient' => '@kofi_demo', 'amount' => 120000, 'reference' => 'PAIE-2026-11-KOFI'],
];
// A file has at most 500 lines. A key of its own for each file: started again, nothing is paid twice.
foreach (array_chunk($items, 500) as $number => $file) {
    $body = ['items' => $file, 'reference' => 'PAIE-2026-11'];
    $report = cauri('POST', '/v1/biz/payouts/batch', $body, "payroll-2026-11-php-$number");
    echo $report['paid_count'], " paid\n";
    foreach ($report['items'] as $line) {
        if ($line['state'] === 'failed') {
            echo $line['recipient'], ' ', $line['failure_code'], "\n";
        }
    }
}
