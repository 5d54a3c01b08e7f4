"""zeep over one file, as decode-one.ts does it: `decode-one.py FILE WSDL`. Prints the CPU time of the decoding (reading the WSDL is not
counted) and the peak memory of the whole process."""
import json
import resource
import sys
from types import SimpleNamespace

import zeep
from zeep.wsdl.bindings.soap import Soap12Binding


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


file, wsdl = sys.argv[1:]
client = zeep.Client(wsdl, settings=zeep.Settings(xml_huge_tree=True, strict=False))
binding = next(each for each in client.wsdl.bindings.values() if isinstance(each, Soap12Binding))
operation = binding.get("GetSellerItems")
before = cpu_ms()
with open(file, "rb") as reply:
    response = SimpleNamespace(status_code=200, headers={"Content-Type": "application/soap+xml"}, content=reply.read())
result = binding.process_reply(client, operation, response)
items = getattr(result, "Item", result)
note = json.dumps({"items": len(items), "sum": sum(item.Id for item in items)}, separators=(",", ":"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpuMs": cpu_ms() - before, "peakMb": peak, "note": note}))
