<?php
require_once 'cauri.php';

$product = '/v1/biz/biller/products/facture';
print_r(cauri('POST', "$product/test-lookup", ['fields' => ['numero' => '01234567890']]));
print_r(cauri('POST', "$product/test-fulfillment", ['biller_ref' => 'FAC-2026-11-0042', 'amount' => 12500]));
// The last runs, trials and those of customers. What your code printed is in `logs`.
foreach (cauri('GET', "$product/runs?limit=10")['data'] as $run) {
    echo $run['kind'], ' ', $run['duration_ms'], ' ms ', implode(' ', $run['logs']), "\n";
}
