<?php
require_once 'cauri.php';

$url = 'https://boutique.example/hooks/cauri';
$endpoint = cauri('POST', '/v1/biz/webhook-endpoints', ['url' => $url, 'events' => ['charge.succeeded', 'charge.refunded']]);
// The secret is in this answer alone: store it as CAURI_WEBHOOK_SECRET.
echo $endpoint['id'], ' ', substr($endpoint['secret'], 0, 6), "\n";
