<?php
require_once 'cauri.php';

echo cauri('POST', '/v1/biz/payment-links', ['description' => 'Boutique du marché, caisse 1'])['url'], "\n";
