<?php
require_once 'cauri.php';

cauri('POST', '/v1/biz/test/deposits', ['amount' => 1000000, 'reference' => 'DEPOT-1']);
$wallet = cauri('POST', '/v1/biz/test/wallets', ['tag' => 'client_' . bin2hex(random_bytes(4))]);
// The wallet is empty: with this deposit it can pay a charge.
cauri('POST', '/v1/biz/test/deposits', ['recipient' => $wallet['tag'], 'amount' => 50000, 'reference' => 'DEPOT-2']);
echo $wallet['tag'], ' ', $wallet['phone'], ' ', $wallet['pin'], "\n";
