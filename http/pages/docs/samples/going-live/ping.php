<?php
require_once 'cauri.php';

$account = cauri('GET', '/v1/biz/ping');
echo $account['environment'], ' ', implode(' ', $account['scopes']), "\n";
