<?php
require_once 'cauri.php';

cauri('POST', '/v1/biz/test/deposits', ['amount' => 1000000]);
$wallet = cauri('POST', '/v1/biz/test/wallets', ['tag' => 'client_' . bin2hex(random_bytes(4))]);
echo $wallet['tag'], ' ', $wallet['phone'], ' ', $wallet['pin'], "\n";
