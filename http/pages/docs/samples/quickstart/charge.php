<?php
require_once 'cauri.php';

$charge = cauri('POST', '/v1/biz/charges', ['amount' => 2000, 'reference' => 'CMD-1', 'description' => 'Savon de karité']);
echo $charge['state'], ' ', $charge['checkout_url'], "\n";
