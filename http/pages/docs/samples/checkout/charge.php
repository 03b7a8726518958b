<?php
require_once 'cauri.php';

$redirectUrl = 'https://boutique.example/merci';
$charge = cauri('POST', '/v1/biz/charges', ['amount' => 1500, 'reference' => 'CMD-118', 'redirect_url' => $redirectUrl]);
// Send the customer to $charge['checkout_url']. In the test environment this takes the place of the customer.
cauri('POST', "/v1/biz/test/charges/{$charge['token']}/pay", ['payer_tag' => '@awa_demo']);
echo cauri('GET', "/v1/biz/charges/{$charge['token']}")['state'], "\n";
