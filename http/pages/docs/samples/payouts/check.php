<?php
require_once 'cauri.php';

$check = cauri('POST', '/v1/biz/payouts/check-recipient', ['recipient' => '@awa_demo']);
var_dump($check['exists'], $check['display_name'] ?? null);
