"""The loop that most would write with zeep, as reprice-one.ts does it: `reprice-one.py CSV URL WSDL`. No ledger, no checks, one call after the
other. Prints the CPU time from the first row that is read to the last reply, and the peak memory of the whole process."""
import csv
import json
import resource
import sys
import time

import zeep

ROWS_PER_CALL = 500


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


path, url, wsdl = sys.argv[1:]
client = zeep.Client(wsdl)
names = [name for name, each in client.wsdl.bindings.items() if type(each).__name__ == "Soap12Binding"]
service = client.create_service(names[0], f"{url}/v3/RestrictedService.asmx")
before = cpu_ms()
started = time.monotonic()
rows = calls = queued = 0


def send(items):
    global calls, queued
    result = service.SetPriceOnShopItems(request={"ShopItems": {"SetPriceShopItem": items}})
    queued += len(result.QueuedRequestResponses.QueuedRequestResponse)
    calls += 1


items = []
with open(path, newline="") as file:
    lines = csv.reader(file)
    next(lines)
    for item_id, price in lines:
        items.append({"Id": int(item_id), "Price": int(price)})
        rows += 1
        if len(items) == ROWS_PER_CALL:
            send(items)
            items = []
if items:
    send(items)
if queued != rows:
    sys.exit(f"{queued} of {rows} rows were taken")
note = json.dumps({"rows": rows, "calls": calls, "sendingMs": (time.monotonic() - started) * 1000})
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpuMs": cpu_ms() - before, "peakMb": peak, "note": note}))
