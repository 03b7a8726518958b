<?php
$file = fopen('statement.csv', 'w');
$curl = curl_init(getenv('CAURI_URL') . '/v1/biz/transactions');
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => ['X-Api-Key: ' . getenv('CAURI_API_KEY'), 'X-Api-Secret: ' . getenv('CAURI_API_SECRET'), 'Accept: text/csv'],
    CURLOPT_FAILONERROR => true,
    CURLOPT_FILE => $file,
]);
if (!curl_exec($curl)) {
    throw new RuntimeException(curl_error($curl));
}
fclose($file);
echo "written: statement.csv\n";
