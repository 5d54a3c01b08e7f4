<?php
// libxml2's stream (PHP's XMLReader) over one file, with the 9 fields that decode-one.ts reads: `decode-stream.php FILE`. It knows no types but
// those that are written here, hides no secrets and checks no contract. Prints the CPU time of the reading and the peak memory of the process.
function cpuMs(): float
{
    $usage = getrusage();
    $us = fn (string $name): float => $usage["ru_$name.tv_sec"] * 1e6 + $usage["ru_$name.tv_usec"];
    return ($us('utime') + $us('stime')) / 1000;
}

[, $file] = $argv;
$ints = array_flip(['Id', 'BuyItNowPrice', 'CategoryId', 'OpeningBid', 'ReservePrice', 'TotalBids']);
$texts = array_flip(['ItemType', 'ShortDescription']);
$before = cpuMs();
$reader = new XMLReader();
$reader->open($file, null, LIBXML_PARSEHUGE);
[$items, $sum, $item, $depth] = [0, 0, null, 0];
while ($reader->read()) {
    if ($reader->nodeType === XMLReader::END_ELEMENT && $reader->localName === 'Item' && $reader->depth === $depth) {
        $items++;
        $sum += $item['Id'];
        continue;
    }
    if ($reader->nodeType !== XMLReader::ELEMENT) {
        continue;
    }
    $name = $reader->localName;
    if ($name === 'Item' && ($depth === 0 || $reader->depth === $depth)) {
        [$item, $depth] = [[], $reader->depth];
    } elseif ($item !== null && $reader->depth === $depth + 1) {
        if (isset($ints[$name]) && !$reader->isEmptyElement) {
            $item[$name] = (int) $reader->readString();
        } elseif (isset($texts[$name])) {
            $item[$name] = $reader->readString();
        }
    } elseif ($item !== null && $reader->depth === $depth + 2 && $name === 'string') {
        $item['OwnReferences'][] = $reader->readString();
    }
}
echo json_encode([
    'cpuMs' => cpuMs() - $before,
    'peakMb' => getrusage()['ru_maxrss'] / 1024,
    'note' => json_encode(['items' => $items, 'sum' => $sum]),
]), "\n";
