<?php
require_once 'cauri.php';

$read = fn (string $text): ?string => str_starts_with($text, 'id,') ? $text : null;
$csv = cauriSend('GET', '/v1/biz/transactions', '', ['Accept: text/csv'], null, $read);
file_put_contents('statement.csv', $csv);
echo "written: statement.csv\n";
