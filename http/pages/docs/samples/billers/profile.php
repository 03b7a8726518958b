<?php
require_once 'cauri.php';

$profile = cauri('PUT', '/v1/biz/biller', [
    'display_name' => 'Énergie du Sahel',
    'category' => 'electricity',
    'short_desc' => 'L’électricité de Dakar à Tambacounda.',
]);
echo $profile['slug'], ' ', $profile['directory_state'], "\n";
