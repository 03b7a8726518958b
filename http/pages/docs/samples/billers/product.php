<?php
require_once 'cauri.php';

$field = ['id' => 'numero', 'label' => 'Numéro de compteur', 'type' => 'text', 'required' => true, 'pattern' => '^[0-9]{11}$'];
$product = cauri('POST', '/v1/biz/biller/products', [
    'slug' => 'facture',
    'title' => 'Facture d’électricité',
    'amount_mode' => 'lookup',
    'schema' => ['steps' => [['title' => 'Votre compteur', 'action' => 'resolve', 'fields' => [$field]]]],
    'lookup_integration' => 'code',
    'lookup_code' => file_get_contents('lookup.js'),
    'fulfillment_mode' => 'code',
    'fulfillment_code' => file_get_contents('on-paid.js'),
]);
echo $product['slug'], ' ', $product['state'], "\n";
