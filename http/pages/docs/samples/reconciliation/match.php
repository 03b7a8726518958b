<?php
require_once 'cauri.php';

// Your own records: reference and amount of each order.
$orders = ['CMD-118' => 1500, 'CMD-119' => 4000];
$cursor = '';
do {
    $page = cauri('GET', '/v1/biz/transactions?type=charge&limit=100' . ($cursor === '' ? '' : "&cursor=$cursor"));
    foreach ($page['data'] as ['id' => $id, 'reference' => $reference, 'amount' => $amount]) {
        $isSame = ($orders[$reference] ?? null) === $amount;
        echo $isSame ? "same: $reference $id\n" : "only at Cauri, or another amount: $reference $amount\n";
        unset($orders[$reference]);
    }
    $cursor = $page['next_cursor'];
} while ($cursor !== null);
foreach (array_keys($orders) as $reference) {
    echo "only in your records: $reference\n";
}
