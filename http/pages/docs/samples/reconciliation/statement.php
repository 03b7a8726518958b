<?php
require_once 'cauri.php';

$day = gmdate('Y-m-d\T00:00:00\Z');
$lines = [];
$cursor = '';
do {
    $page = cauri('GET', "/v1/biz/transactions?created_from=$day&limit=100" . ($cursor === '' ? '' : "&cursor=$cursor"));
    array_push($lines, ...$page['data']);
    $cursor = $page['next_cursor'];
} while ($cursor !== null);
$totals = [];
$balance = null;
foreach (array_reverse($lines) as $line) {
    if ($balance !== null && $balance + $line['amount'] !== $line['balance_after']) {
        throw new RuntimeException("a line is missing before {$line['id']}");
    }
    $balance = $line['balance_after'];
    $totals[$line['type']] = ($totals[$line['type']] ?? 0) + $line['amount'];
}
echo count($lines), " lines, closing balance $balance ", json_encode($totals), "\n";
