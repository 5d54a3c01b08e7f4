<?php
// PHP's SoapClient over one file, as decode-one.ts does it: `decode-one.php FILE WSDL`. Prints the CPU time of the decoding (reading the WSDL
// is not counted) and the peak memory of the whole process.
ini_set('memory_limit', '-1');

class FileClient extends SoapClient
{
    public string $file = '';

    public function __doRequest($request, $location, $action, $version, $oneWay = false): ?string
    {
        return file_get_contents($this->file);
    }
}

function cpuMs(): float
{
    $usage = getrusage();
    $us = fn (string $name): float => $usage["ru_$name.tv_sec"] * 1e6 + $usage["ru_$name.tv_usec"];
    return ($us('utime') + $us('stime')) / 1000;
}

[, $file, $wsdl] = $argv;
$client = new FileClient($wsdl, ['soap_version' => SOAP_1_2, 'cache_wsdl' => WSDL_CACHE_NONE, 'location' => 'http://127.0.0.1:1/', 'features' => SOAP_SINGLE_ELEMENT_ARRAYS]);
$client->file = $file;
$before = cpuMs();
$reply = $client->__soapCall('GetSellerItems', [['categoryId' => 0, 'filterActive' => 'All', 'filterItemType' => 'All']]);
$items = $reply->GetSellerItemsResult->Item;
$sum = 0;
foreach ($items as $item) {
    $sum += $item->Id;
}
echo json_encode([
    'cpuMs' => cpuMs() - $before,
    'peakMb' => getrusage()['ru_maxrss'] / 1024,
    'note' => json_encode(['items' => count($items), 'sum' => $sum]),
]), "\n";
