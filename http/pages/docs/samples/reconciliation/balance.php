<?php
require_once 'cauri.php';

$balance = cauri('GET', '/v1/biz/balance');
echo "{$balance['available']} available, {$balance['pending']} pending, {$balance['currency']}\n";
