-- A ledger that version 0.2.0 wrote at its own sandbox: prices set and set back, a file with held rows, listings, blind prices,
-- stock, a sale that has begun, costs, a watch, a report of sales, and a removal that was killed after its first rows.
CREATE TABLE calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL,
  profile TEXT NOT NULL,
  service TEXT NOT NULL,
  operation TEXT NOT NULL,
  kind TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT,
  http_status INTEGER,
  ms INTEGER
, sandbox INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  profile TEXT NOT NULL,
  user_id INTEGER,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  message TEXT,
  counts TEXT NOT NULL DEFAULT '{}',
  detail TEXT NOT NULL DEFAULT 'null',
  undo_of INTEGER REFERENCES jobs (id),
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  lock_owner TEXT,
  lock_beat INTEGER
, part_of INTEGER REFERENCES jobs (id)) STRICT;
CREATE TABLE requests (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id INTEGER,
  item_id INTEGER,
  operation TEXT NOT NULL,
  subject TEXT NOT NULL,
  profile TEXT NOT NULL,
  user_id INTEGER,
  state TEXT NOT NULL,
  result_code TEXT,
  message TEXT,
  sent_at INTEGER NOT NULL,
  finished_at INTEGER,
  job_id INTEGER REFERENCES jobs (id),
  owner TEXT
, adds TEXT) STRICT;
CREATE TABLE listing_steps (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  step INTEGER NOT NULL,
  operation TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  message TEXT,
  bytes INTEGER,
  format TEXT,
  mega INTEGER,
  sha256 TEXT,
  started_at INTEGER,
  finished_at INTEGER,
  PRIMARY KEY (job_id, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE bulk_settings (
  profile TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE eid_sessions (
  order_ref TEXT PRIMARY KEY,
  profile TEXT NOT NULL,
  user_id INTEGER,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT
) STRICT;
CREATE TABLE bulk_batches (job_id INTEGER NOT NULL REFERENCES jobs (id), batch INTEGER NOT NULL, first_row INTEGER NOT NULL, count INTEGER NOT NULL,
  lines BLOB NOT NULL, ids BLOB NOT NULL, prices BLOB, old_prices BLOB, payloads TEXT, old_payloads TEXT, own_references TEXT, extras TEXT, titles TEXT, PRIMARY KEY (job_id, batch)) STRICT;
CREATE TABLE bulk_states (job_id INTEGER NOT NULL REFERENCES jobs (id), batch INTEGER NOT NULL, unsent INTEGER NOT NULL, sending INTEGER NOT NULL, queued INTEGER NOT NULL, ok INTEGER NOT NULL, failed INTEGER NOT NULL, retryable INTEGER NOT NULL, unknown INTEGER NOT NULL, held INTEGER NOT NULL,
  states BLOB NOT NULL, request_ids BLOB NOT NULL, item_ids BLOB, reasons TEXT, skipped INTEGER NOT NULL DEFAULT 0, sent_at INTEGER, PRIMARY KEY (job_id, batch)) STRICT;
CREATE TABLE costs (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  item_id INTEGER NOT NULL,
  own_reference TEXT NOT NULL,
  since INTEGER NOT NULL,
  cost INTEGER,
  lowest INTEGER,
  recommended INTEGER,
  PRIMARY KEY (profile, user_id, item_id, own_reference, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE price_shops (
  id INTEGER PRIMARY KEY,
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  known_from INTEGER NOT NULL,
  first_job INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  last_job INTEGER NOT NULL,
  open_job INTEGER,
  version INTEGER NOT NULL,
  items INTEGER NOT NULL,
  prices BLOB NOT NULL,
  UNIQUE (profile, user_id)
) STRICT;
CREATE TABLE price_readings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shop_id INTEGER NOT NULL REFERENCES price_shops (id),
  at INTEGER NOT NULL,
  last_job INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  count INTEGER NOT NULL,
  moves BLOB NOT NULL
) STRICT;
CREATE TABLE sales_shops (
  id INTEGER PRIMARY KEY,
  profile TEXT NOT NULL,
  address TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  UNIQUE (profile, address, user_id)
) STRICT;
CREATE TABLE transactions (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  paid INTEGER NOT NULL,
  shipped INTEGER NOT NULL,
  rated INTEGER NOT NULL,
  item_id INTEGER,
  title TEXT,
  own_references TEXT NOT NULL,
  buyer_id INTEGER,
  buyer TEXT,
  PRIMARY KEY (shop_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE transaction_ranges (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, from_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE sold_items (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  item_id INTEGER NOT NULL,
  started_at INTEGER,
  category_id INTEGER,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sale_watches (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  name TEXT NOT NULL,
  since INTEGER NOT NULL,
  looked_at INTEGER,
  PRIMARY KEY (shop_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE watched_sales (
  shop_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  owner TEXT,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, name, id),
  FOREIGN KEY (shop_id, name) REFERENCES sale_watches (shop_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  rule TEXT,
  guards TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  next_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE sale_items (
  sale_id INTEGER NOT NULL REFERENCES sales (id),
  item_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  own_reference TEXT,
  before INTEGER,
  price INTEGER NOT NULL,
  allow INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT, title TEXT,
  PRIMARY KEY (sale_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sale_prices (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  item_id INTEGER NOT NULL,
  normal INTEGER NOT NULL,
  price INTEGER NOT NULL,
  sent INTEGER,
  job_id INTEGER REFERENCES jobs (id),
  sure_at INTEGER,
  PRIMARY KEY (profile, user_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sale_jobs (
  job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
  sale_id INTEGER REFERENCES sales (id),
  part TEXT NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE sale_changes (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  item_id INTEGER NOT NULL,
  normal_from INTEGER NOT NULL,
  normal_to INTEGER NOT NULL,
  PRIMARY KEY (job_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sale_claims (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  owner TEXT NOT NULL,
  beat INTEGER NOT NULL,
  PRIMARY KEY (profile, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO calls VALUES (1, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511368278, 'ok', 200, 1114, 0);
INSERT INTO calls VALUES (2, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511370023, 'ok', 200, 177, 0);
INSERT INTO calls VALUES (3, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511370187, 'ok', 200, 21, 0);
INSERT INTO calls VALUES (4, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511371159, 'ok', 200, 10, 0);
INSERT INTO calls VALUES (5, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511371977, 'ok', 200, 408, 0);
INSERT INTO calls VALUES (6, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511372450, 'ok', 200, 28, 0);
INSERT INTO calls VALUES (7, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511373467, 'ok', 200, 27, 0);
INSERT INTO calls VALUES (8, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511374223, 'ok', 200, 249, 0);
INSERT INTO calls VALUES (9, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511374595, 'ok', 200, 51, 0);
INSERT INTO calls VALUES (10, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511375790, 'ok', 200, 16, 0);
INSERT INTO calls VALUES (11, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511376436, 'ok', 200, 130, 0);
INSERT INTO calls VALUES (12, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511376562, 'ok', 200, 19, 0);
INSERT INTO calls VALUES (13, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511377496, 'ok', 200, 40, 0);
INSERT INTO calls VALUES (14, 1, 'default', 'RestrictedService', 'AddShopItem', 'single write', 1, 1795511378024, 'ok', 200, 160, 0);
INSERT INTO calls VALUES (15, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511379133, 'ok', 200, 15, 0);
INSERT INTO calls VALUES (16, 1, 'default', 'RestrictedService', 'AddItem', 'single write', 1, 1795511379917, 'ok', 200, 49, 0);
INSERT INTO calls VALUES (17, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511380937, 'ok', 200, 72, 0);
INSERT INTO calls VALUES (18, 1, 'default', 'RestrictedService', 'AddItem', 'single write', 1, 1795511381710, 'ok', 200, 76, 0);
INSERT INTO calls VALUES (19, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511382656, 'ok', 200, 236, 0);
INSERT INTO calls VALUES (20, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511383960, 'ok', 200, 17, 0);
INSERT INTO calls VALUES (21, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511385592, 'ok', 200, 388, 0);
INSERT INTO calls VALUES (22, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511386510, 'ok', 200, 315, 0);
INSERT INTO calls VALUES (23, 1, 'default', 'RestrictedService', 'SetPriceOnShopItems', 'repeatable write', 1, 1795511386870, 'ok', 200, 16, 0);
INSERT INTO calls VALUES (24, 1, 'default', 'RestrictedService', 'GetRequestResults', 'read', 1, 1795511387966, 'ok', 200, 63, 0);
INSERT INTO calls VALUES (25, 1, 'default', 'RestrictedService', 'GetSellerTransactions', 'read', 1, 1795511389590, 'ok', 200, 82, 0);
INSERT INTO calls VALUES (26, 1, 'default', 'RestrictedService', 'GetSellerTransactions', 'read', 1, 1795511390309, 'ok', 200, 46, 0);
INSERT INTO calls VALUES (27, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511390379, 'ok', 200, 321, 0);
INSERT INTO calls VALUES (28, 1, 'default', 'RestrictedService', 'GetSellerTransactions', 'read', 1, 1795511391875, 'ok', 200, 166, 0);
INSERT INTO calls VALUES (29, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511393885, 'ok', 200, 998, 0);
INSERT INTO calls VALUES (30, 1, 'default', 'RestrictedService', 'GetSellerItems', 'read', 1, 1795511395652, 'ok', 200, 584, 0);
INSERT INTO calls VALUES (31, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511396222, 'ok', 200, 415, 0);
INSERT INTO calls VALUES (32, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511396639, 'ok', 200, 431, 0);
INSERT INTO calls VALUES (33, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511397072, 'ok', 200, 416, 0);
INSERT INTO calls VALUES (34, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511397497, 'ok', 200, 407, 0);
INSERT INTO calls VALUES (35, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511397914, 'ok', 200, 412, 0);
INSERT INTO calls VALUES (36, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511398328, 'ok', 200, 410, 0);
INSERT INTO calls VALUES (37, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511398740, 'ok', 200, 415, 0);
INSERT INTO calls VALUES (38, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511399200, 'ok', 200, 424, 0);
INSERT INTO calls VALUES (39, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511399629, 'ok', 200, 427, 0);
INSERT INTO calls VALUES (40, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511400059, 'ok', 200, 423, 0);
INSERT INTO calls VALUES (41, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511400488, NULL, NULL, NULL, 0);
INSERT INTO calls VALUES (42, 1, 'default', 'RestrictedService', 'RemoveShopItem', 'repeatable write', 1, 1795511400955, NULL, NULL, NULL, 0);
INSERT INTO jobs VALUES (1, 'price', 'default', 1001, 'shop:price --all --add -10% --end-with 9 --floor 20', 'ok', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":134,"failed":0,"retryable":0,"unknown":0,"held":0,"skipped":0}', '{"form":{"kind":"rule","columns":["Id","Price"]},"blind":false}', NULL, 1795511370150, 1795511371195, NULL, NULL, NULL);
INSERT INTO jobs VALUES (2, 'price', 'default', 1001, 'shop:price --file p.csv', 'partial', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":2,"failed":0,"retryable":0,"unknown":0,"held":1,"skipped":1}', '{"form":{"kind":"csv","delimiter":",","newline":"\n","bom":false,"columns":["Id","Price"]},"blind":false}', NULL, 1795511372355, 1795511373514, NULL, NULL, NULL);
INSERT INTO jobs VALUES (3, 'price', 'default', 1001, 'jobs:undo 1', 'partial', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":132,"failed":0,"retryable":0,"unknown":0,"held":2,"skipped":0}', '{"form":{"kind":"rule","columns":["Id","Price"]},"blind":false}', 1, 1795511374403, 1795511375811, NULL, NULL, NULL);
INSERT INTO jobs VALUES (4, 'price', 'default', 1001, 'shop:price 600000408=210 600000007=720', 'ok', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":2,"failed":0,"retryable":0,"unknown":0,"held":0,"skipped":0}', '{"form":{"kind":"arguments","columns":["Id","Price"]},"blind":false}', NULL, 1795511376553, 1795511377552, NULL, NULL, NULL);
INSERT INTO jobs VALUES (5, 'price', 'default', 1001, 'shop:price 600000409=36', 'ok', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":1,"failed":0,"retryable":0,"unknown":0,"held":0,"skipped":0}', '{"form":{"kind":"arguments","columns":["Id","Price"]},"blind":true}', NULL, 1795511382567, 1795511383979, NULL, NULL, NULL);
INSERT INTO jobs VALUES (6, 'price', 'default', 1001, 'sale 1 "Rea": start', 'ok', NULL, '{"unsent":0,"sending":0,"queued":0,"ok":1,"failed":0,"retryable":0,"unknown":0,"held":0,"skipped":0}', '{"form":{"kind":"rule","columns":["Id","Price"]},"blind":false}', NULL, 1795511386847, 1795511388080, NULL, NULL, NULL);
INSERT INTO jobs VALUES (7, 'remove', 'default', 1001, 'shop:remove --file gone.csv', 'open', NULL, '{"unsent":20,"sending":0,"queued":0,"ok":0,"failed":0,"retryable":0,"unknown":0,"held":0,"skipped":0}', '{"form":{"kind":"csv","delimiter":",","newline":"\n","bom":false,"columns":["Id"]},"blind":false}', NULL, 1795511396197, NULL, '{"host":"vm","pid":935,"started":"f68de437-a23f-48c6-a1a4-2d0714a97e88:135609"}', 1795511396210, NULL);
INSERT INTO requests VALUES (1, 90000271, 600000421, 'AddShopItem', 'Kopp', 'default', 1001, 'ok', 'Ok', NULL, 1795511377979, 1795511379148, NULL, NULL, NULL);
INSERT INTO requests VALUES (2, 90000272, 600000422, 'AddItem', 'Höganäs krus med lock', 'default', 1001, 'ok', 'Ok', NULL, 1795511379890, 1795511381010, NULL, NULL, NULL);
INSERT INTO requests VALUES (3, 90000273, 600000423, 'AddItem', 'Vas', 'default', 1001, 'queued', NULL, NULL, 1795511381685, NULL, NULL, NULL, NULL);
INSERT INTO bulk_batches VALUES (1, 1, 1, 134, X'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', X'A047C3239F47C3239947C3239847C3239747C3239547C3238E47C3238D47C3238B47C3238947C3238547C3238447C3237E47C3237C47C3237B47C3237747C3236F47C3236947C3236647C3236447C3236347C3235F47C3235947C3235447C3234D47C3234C47C3234B47C3234647C3234347C3234047C3233E47C3233D47C3233B47C3233A47C3233947C3233547C3233147C3232C47C3232B47C3232947C3232747C3232547C3232147C3231B47C3231947C3231547C3231347C3231247C3230F47C3230E47C3230C47C3230647C3230447C3230247C323FE46C323FC46C323FB46C323FA46C323F946C323F746C323F646C323F546C323F246C323EC46C323EB46C323E946C323E646C323E546C323E446C323E246C323E146C323E046C323DE46C323DC46C323DA46C323D346C323CC46C323C946C323C646C323C446C323C246C323B846C323B646C323AF46C323AA46C323A646C3239F46C3239C46C3239946C3239746C3239646C3239246C3238C46C3238B46C3238946C3238746C3238546C3238046C3237F46C3237D46C3237946C3237446C3237346C3237246C3236646C3236446C3236346C3236246C3235B46C3235946C3235146C3235046C3234F46C3234E46C3234946C3234846C3234546C3234246C3233846C3233746C3233546C3232C46C3232946C3232646C3232046C3231D46C3231946C3231546C3231246C3231146C3231046C3230946C3230746C3230146C323', X'C71400009F0000001D000000B30000008100000027000000F900000081000000950000003B00000017010000630000003B00000035010000490100008B0000003F0100009F0F0000FB0300006D000000570200007B0100009F000000B9040000DB0000004F0000004F0000002B010000C70000005D0100004F00000077000000610200004F000000270000001D00000077000000770000005F04000071010000A3010000950000004F0000002B0100003F1000008B0000009F0000001D00000013140000D1000000050400004500000049010000DD030000C1010000FD010000C9080000D90700001D00000051030000450000006D000000A3010000A50400003B00000043020000EF00000045000000610200002700000007020000F30100007B010000D10000008B0000009F000000A70700000509000027000000D10000001D000000B300000063000000810000001B020000B3000000170100001D000000C70000000B03000045000000CF0200001D000000C1010000B70100001D000000DB0000005900000027000000C70000001102000095000000C7000000530100001904000041040000810000004F000000DB000000F90000006D000000DB000000D5010000EF05000081000000450000000B0300006D00000099010000650800006F0300008D030000E50000005702000081000000D10000004F000000270000001D00000031050000430200000D0100009302000095000000', X'11170000B400000022000000CA000000930000002A000000150100008C000000A400000045000000380100006A00000040000000530100006C0100009B0000005E0100005D1100006C0400007E0000009B020000A4010000AC00000042050000F200000052000000520000004A010000D8000000810100005800000082000000A802000053000000290000001F0000008000000084000000DB04000098010000D2010000AA00000058000000490100000B12000096000000B00000001E0000004E160000E9000000790400004D000000710100004E040000F301000037020000C2090000B508000023000000AF0300004E00000074000000D30100002D05000043000000870200000401000047000000A00200002F000000400200002A020000A3010000EA00000098000000AE00000081080000080A00002D000000E400000020000000C4000000680000008F00000057020000C2000000360100001F000000DB0000005F0300004D000000210300001F000000F1010000E901000021000000F00000005D0000002D000000E00000004E020000A9000000DC0000007A01000090040000B80400009000000056000000F80000001301000075000000F8000000030200009A06000093000000470000006003000073000000C301000058090000D4030000F603000002010000970200008E000000E7000000560000002F00000024000000C30500008702000028010000DB020000AA000000', NULL, NULL, NULL, NULL, '["Målat skrin från Dalarna, daterat 1834 i originalkartong","Raggsockor, handstickade, strl 38–40 – fint skick","Bomullsgarn 8/4, nystan & fri frakt","Halsduk i lammull – rutig","Laddare 20 W, vit & fri frakt","Fantomen nr 3/1974 – fint skick, ljusblå","LP: Nationalteatern – Livet är en fest","Minnesmynt 50 kr 1976 \"Bröllopet\" ★ fynd ★","Skärp i brunt läder, längd 95 cm – fint skick","Kortspel: \"Lång tid att leva\" – fint skick","Skärp i brunt läder, längd 95 cm ★ fynd ★","Minnesmynt 50 kr 1976 \"Bröllopet\" – \"ny gammal\"","Kosta Boda snöboll, ljuslykta, röd","Klänning 1960-tal, orange & brun (nr 2)","Fotogenlampa med glas <40 cm (nr 2)","Laddare 20 W, vit, röd","LP: Nationalteatern – Livet är en fest ★ fynd ★","Målat skrin från Dalarna, daterat 1834, oanvänd","Målat skrin från Dalarna, daterat 1834, ljusblå","Skjorta, rutig, strl L","Klänning 1960-tal, orange & brun i originalkartong","Switch-spel i fodral & fri frakt","Laddare 20 W, vit, grön","Lusekofta \"Setesdal\" strl M – \"ny gammal\"","Dörrhandtag i mässing, par, 50-tal","Fantomen nr 3/1974 – fint skick, ljusblå","Rundsticka 4,5 mm, 80 cm – \"ny gammal\"","Ljusstake i nysilver <1920 i originalkartong","Loppislåda: diverse från dödsbo (nr 2)","Kalle Anka & C:o 1967, 12 nummer, ljusblå","Kortspel: \"Lång tid att leva\", röd","Fantasy-paket: 6 pocketböcker, grön","Kaffepanna i koppar, 1,5 l – fint skick","CD: Kent – Isola (nr 2)","CD: Kent – Isola, röd","Bomullsgarn 8/4, nystan, 50-tal","Minnesmynt 50 kr 1976 \"Bröllopet\", ljusblå","Trädgårdsbok: Perenner för nordligt läge (nr 2)","Sashadocka, mörkt hår, grön","Minne DDR4 16 GB (2 × 8 GB) (nr 2)","Stormkök med kastruller & kaffepanna","Kosta Boda snöboll, ljuslykta & fri frakt","Gummistövlar blå strl 27 (nr 2)","Kalle Anka & C:o 1967, 12 nummer, oanvänd","Målat skrin från Dalarna, daterat 1834, röd","Kortspel: \"Lång tid att leva\", grön","Kosta Boda snöboll, ljuslykta, 50-tal","Deckare: \"Mannen på balkongen\", pocket, ljusblå","Målat skrin från Dalarna, daterat 1834, oanvänd","Kalle Anka & C:o 1967, 12 nummer, 50-tal","Lusekofta \"Setesdal\" strl M (nr 2)","Minnesmynt 50 kr 1976 \"Bröllopet\"","Emaljskylt \"Varning för hunden\" ★ fynd ★","Armbandsur dam \"Certina\" 1960-tal – fint skick","Silvermynt 2 kronor 1907 – \"ny gammal\"","Analog kamera Zenit-E 58mm f/2, röd","Akvarell: Skärgård i dis, signerad & fri frakt","Spegel med förgylld ram (nr 2)","CD: Kent – Isola, oanvänd","Vinterkappa i ull, strl 40 i originalkartong","Gummistövlar blå strl 27","Solglasögon 70-tal, bruna bågar, röd","Brudslöja i tyll & spets & fri frakt","Gustavsberg Berså tekanna, oanvänd","Ullgarn 2-trådigt, 100 g – mossgrön, oanvänd","Armbandsur dam \"Certina\" 1960-tal, röd","Gösta Berlings saga, inbunden 1922 ★ fynd ★","Fantomen nr 3/1974 – fint skick & fri frakt","Analog kamera Zenit-E 58mm f/2, oanvänd","Deckare: \"Mannen på balkongen\", pocket & fri frakt","Analog kamera Zenit-E 58mm f/2 ★ fynd ★","Kalle Anka & C:o 1967, 12 nummer, oanvänd","Silvermynt 2 kronor 1907 – \"ny gammal\"","Dörrhandtag i mässing, par – fint skick","Finskor svarta strl 43 – nästan nya i originalkartong","Drag & beten: 14 spinnare – \"ny gammal\"","Nylonsträngad gitarr \"Levin\", grön","Sashadocka, mörkt hår, ljusblå","Fröpåse: ringblomma 🌼, 50-tal","Läderarmband med spänne, röd","Fantomen nr 3/1974 – fint skick, oanvänd","Tiara med pärlor","Rörstrand Mon Amie djup tallrik, oanvänd","Rörstrand Mon Amie djup tallrik – \"ny gammal\"","Gustavsberg Berså tekanna – \"ny gammal\"","Gösta Berlings saga, inbunden 1922 – fint skick","NES: Super Mario Bros 3 <kassett> i originalkartong","Deckare: \"Mannen på balkongen\", pocket, oanvänd","LP: Cornelis Vreeswijk, Tio vackra visor ★ fynd ★","Trasmatta, blå & vit, 70 × 200, röd","Trädgårdsbok: Perenner för nordligt läge, 50-tal","Skruvdragare 18V, 2 batterier, röd","Bomullsgarn 8/4, nystan & fri frakt","Finskor svarta strl 43 – nästan nya i originalkartong","Finskor svarta strl 43 – nästan nya – fint skick","Gratulationskort \"Grattis på födelsedagen!\" 🎂, grön","LP: \"Powerslave\" – UK-press – \"ny gammal\"","Bilderbok: Alfons & Åberg-klassiker – \"ny gammal\"","Bomullsgarn 8/4, nystan ★ fynd ★","Teknobil Volvo Amazon 1:43, oanvänd","Tiara med pärlor, oanvänd","Mobilskal i läder, grön","Raggsockor, handstickade, strl 38–40 – \"ny gammal\"","Stormkök med kastruller & kaffepanna","Gustavsberg Berså tekanna i originalkartong","Armbandsur dam \"Certina\" 1960-tal i originalkartong","Skjorta, rutig, strl L","Gummistövlar blå strl 27 i originalkartong","Kaffekopp & fat Rörstrand \"Ostindia\" – fint skick","Brio träräls, 25 delar, röd","USB-C-kabel 2 m, röd","Switch-spel i fodral, 50-tal","Emaljskylt \"Varning för hunden\" ★ fynd ★","Nylonsträngad gitarr \"Levin\", oanvänd","Mobilskal i läder ★ fynd ★","Vykort Örnsköldsvik, hamnen ca 1910 – \"ny gammal\"","Trasmatta, blå & vit, 70 × 200 ★ fynd ★","LP: Cornelis Vreeswijk, Tio vackra visor, ljusblå","Emaljskylt \"Varning för hunden\" i originalkartong","Akvarell: Skärgård i dis, signerad, grön","Objektiv 50/1,8 för Nikon, oanvänd","Litografi, numrerad 12/200, grön","Analog kamera Zenit-E 58mm f/2 (nr 2)","Brudslöja i tyll & spets (nr 2)","Gummistövlar blå strl 27, ljusblå","Raggsockor, handstickade, strl 38–40, 50-tal","USB-C-kabel 2 m, ljusblå","Frimärken Sverige: skilling banco, repro, grön","Fantomen nr 3/1974 – fint skick – \"ny gammal\"","Objektiv 50/1,8 för Nikon ★ fynd ★","Minne DDR4 16 GB (2 × 8 GB), ljusblå","Fotogenlampa med glas <40 cm","Lusekofta \"Setesdal\" strl M, grön","Trädgårdsbok: Perenner för nordligt läge i originalkartong"]');
INSERT INTO bulk_batches VALUES (2, 1, 1, 2, X'0200000003000000', X'A047C3239F47C323', X'0C170000AF000000', X'C71400009F000000', NULL, NULL, NULL, NULL, '["Målat skrin från Dalarna, daterat 1834 i originalkartong","Raggsockor, handstickade, strl 38–40 – fint skick"]');
INSERT INTO bulk_batches VALUES (2, 2, 3, 1, X'05000000', X'9947C323', X'01000000', X'1D000000', NULL, NULL, NULL, NULL, '["Bomullsgarn 8/4, nystan & fri frakt"]');
INSERT INTO bulk_batches VALUES (2, 3, 4, 1, X'04000000', X'FFC99A3B', X'32000000', X'00000000', NULL, NULL, NULL, NULL, NULL);
INSERT INTO bulk_batches VALUES (3, 1, 1, 132, X'000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', X'9947C3239847C3239747C3239547C3238E47C3238D47C3238B47C3238947C3238547C3238447C3237E47C3237C47C3237B47C3237747C3236F47C3236947C3236647C3236447C3236347C3235F47C3235947C3235447C3234D47C3234C47C3234B47C3234647C3234347C3234047C3233E47C3233D47C3233B47C3233A47C3233947C3233547C3233147C3232C47C3232B47C3232947C3232747C3232547C3232147C3231B47C3231947C3231547C3231347C3231247C3230F47C3230E47C3230C47C3230647C3230447C3230247C323FE46C323FC46C323FB46C323FA46C323F946C323F746C323F646C323F546C323F246C323EC46C323EB46C323E946C323E646C323E546C323E446C323E246C323E146C323E046C323DE46C323DC46C323DA46C323D346C323CC46C323C946C323C646C323C446C323C246C323B846C323B646C323AF46C323AA46C323A646C3239F46C3239C46C3239946C3239746C3239646C3239246C3238C46C3238B46C3238946C3238746C3238546C3238046C3237F46C3237D46C3237946C3237446C3237346C3237246C3236646C3236446C3236346C3236246C3235B46C3235946C3235146C3235046C3234F46C3234E46C3234946C3234846C3234546C3234246C3233846C3233746C3233546C3232C46C3232946C3232646C3232046C3231D46C3231946C3231546C3231246C3231146C3231046C3230946C3230746C3230146C323', X'22000000CA000000930000002A000000150100008C000000A400000045000000380100006A00000040000000530100006C0100009B0000005E0100005D1100006C0400007E0000009B020000A4010000AC00000042050000F200000052000000520000004A010000D8000000810100005800000082000000A802000053000000290000001F0000008000000084000000DB04000098010000D2010000AA00000058000000490100000B12000096000000B00000001E0000004E160000E9000000790400004D000000710100004E040000F301000037020000C2090000B508000023000000AF0300004E00000074000000D30100002D05000043000000870200000401000047000000A00200002F000000400200002A020000A3010000EA00000098000000AE00000081080000080A00002D000000E400000020000000C4000000680000008F00000057020000C2000000360100001F000000DB0000005F0300004D000000210300001F000000F1010000E901000021000000F00000005D0000002D000000E00000004E020000A9000000DC0000007A01000090040000B80400009000000056000000F80000001301000075000000F8000000030200009A06000093000000470000006003000073000000C301000058090000D4030000F603000002010000970200008E000000E7000000560000002F00000024000000C30500008702000028010000DB020000AA000000', X'1D000000B30000008100000027000000F900000081000000950000003B00000017010000630000003B00000035010000490100008B0000003F0100009F0F0000FB0300006D000000570200007B0100009F000000B9040000DB0000004F0000004F0000002B010000C70000005D0100004F00000077000000610200004F000000270000001D00000077000000770000005F04000071010000A3010000950000004F0000002B0100003F1000008B0000009F0000001D00000013140000D1000000050400004500000049010000DD030000C1010000FD010000C9080000D90700001D00000051030000450000006D000000A3010000A50400003B00000043020000EF00000045000000610200002700000007020000F30100007B010000D10000008B0000009F000000A70700000509000027000000D10000001D000000B300000063000000810000001B020000B3000000170100001D000000C70000000B03000045000000CF0200001D000000C1010000B70100001D000000DB0000005900000027000000C70000001102000095000000C7000000530100001904000041040000810000004F000000DB000000F90000006D000000DB000000D5010000EF05000081000000450000000B0300006D00000099010000650800006F0300008D030000E50000005702000081000000D10000004F000000270000001D00000031050000430200000D0100009302000095000000', NULL, NULL, NULL, NULL, '["Bomullsgarn 8/4, nystan & fri frakt","Halsduk i lammull – rutig","Laddare 20 W, vit & fri frakt","Fantomen nr 3/1974 – fint skick, ljusblå","LP: Nationalteatern – Livet är en fest","Minnesmynt 50 kr 1976 \"Bröllopet\" ★ fynd ★","Skärp i brunt läder, längd 95 cm – fint skick","Kortspel: \"Lång tid att leva\" – fint skick","Skärp i brunt läder, längd 95 cm ★ fynd ★","Minnesmynt 50 kr 1976 \"Bröllopet\" – \"ny gammal\"","Kosta Boda snöboll, ljuslykta, röd","Klänning 1960-tal, orange & brun (nr 2)","Fotogenlampa med glas <40 cm (nr 2)","Laddare 20 W, vit, röd","LP: Nationalteatern – Livet är en fest ★ fynd ★","Målat skrin från Dalarna, daterat 1834, oanvänd","Målat skrin från Dalarna, daterat 1834, ljusblå","Skjorta, rutig, strl L","Klänning 1960-tal, orange & brun i originalkartong","Switch-spel i fodral & fri frakt","Laddare 20 W, vit, grön","Lusekofta \"Setesdal\" strl M – \"ny gammal\"","Dörrhandtag i mässing, par, 50-tal","Fantomen nr 3/1974 – fint skick, ljusblå","Rundsticka 4,5 mm, 80 cm – \"ny gammal\"","Ljusstake i nysilver <1920 i originalkartong","Loppislåda: diverse från dödsbo (nr 2)","Kalle Anka & C:o 1967, 12 nummer, ljusblå","Kortspel: \"Lång tid att leva\", röd","Fantasy-paket: 6 pocketböcker, grön","Kaffepanna i koppar, 1,5 l – fint skick","CD: Kent – Isola (nr 2)","CD: Kent – Isola, röd","Bomullsgarn 8/4, nystan, 50-tal","Minnesmynt 50 kr 1976 \"Bröllopet\", ljusblå","Trädgårdsbok: Perenner för nordligt läge (nr 2)","Sashadocka, mörkt hår, grön","Minne DDR4 16 GB (2 × 8 GB) (nr 2)","Stormkök med kastruller & kaffepanna","Kosta Boda snöboll, ljuslykta & fri frakt","Gummistövlar blå strl 27 (nr 2)","Kalle Anka & C:o 1967, 12 nummer, oanvänd","Målat skrin från Dalarna, daterat 1834, röd","Kortspel: \"Lång tid att leva\", grön","Kosta Boda snöboll, ljuslykta, 50-tal","Deckare: \"Mannen på balkongen\", pocket, ljusblå","Målat skrin från Dalarna, daterat 1834, oanvänd","Kalle Anka & C:o 1967, 12 nummer, 50-tal","Lusekofta \"Setesdal\" strl M (nr 2)","Minnesmynt 50 kr 1976 \"Bröllopet\"","Emaljskylt \"Varning för hunden\" ★ fynd ★","Armbandsur dam \"Certina\" 1960-tal – fint skick","Silvermynt 2 kronor 1907 – \"ny gammal\"","Analog kamera Zenit-E 58mm f/2, röd","Akvarell: Skärgård i dis, signerad & fri frakt","Spegel med förgylld ram (nr 2)","CD: Kent – Isola, oanvänd","Vinterkappa i ull, strl 40 i originalkartong","Gummistövlar blå strl 27","Solglasögon 70-tal, bruna bågar, röd","Brudslöja i tyll & spets & fri frakt","Gustavsberg Berså tekanna, oanvänd","Ullgarn 2-trådigt, 100 g – mossgrön, oanvänd","Armbandsur dam \"Certina\" 1960-tal, röd","Gösta Berlings saga, inbunden 1922 ★ fynd ★","Fantomen nr 3/1974 – fint skick & fri frakt","Analog kamera Zenit-E 58mm f/2, oanvänd","Deckare: \"Mannen på balkongen\", pocket & fri frakt","Analog kamera Zenit-E 58mm f/2 ★ fynd ★","Kalle Anka & C:o 1967, 12 nummer, oanvänd","Silvermynt 2 kronor 1907 – \"ny gammal\"","Dörrhandtag i mässing, par – fint skick","Finskor svarta strl 43 – nästan nya i originalkartong","Drag & beten: 14 spinnare – \"ny gammal\"","Nylonsträngad gitarr \"Levin\", grön","Sashadocka, mörkt hår, ljusblå","Fröpåse: ringblomma 🌼, 50-tal","Läderarmband med spänne, röd","Fantomen nr 3/1974 – fint skick, oanvänd","Tiara med pärlor","Rörstrand Mon Amie djup tallrik, oanvänd","Rörstrand Mon Amie djup tallrik – \"ny gammal\"","Gustavsberg Berså tekanna – \"ny gammal\"","Gösta Berlings saga, inbunden 1922 – fint skick","NES: Super Mario Bros 3 <kassett> i originalkartong","Deckare: \"Mannen på balkongen\", pocket, oanvänd","LP: Cornelis Vreeswijk, Tio vackra visor ★ fynd ★","Trasmatta, blå & vit, 70 × 200, röd","Trädgårdsbok: Perenner för nordligt läge, 50-tal","Skruvdragare 18V, 2 batterier, röd","Bomullsgarn 8/4, nystan & fri frakt","Finskor svarta strl 43 – nästan nya i originalkartong","Finskor svarta strl 43 – nästan nya – fint skick","Gratulationskort \"Grattis på födelsedagen!\" 🎂, grön","LP: \"Powerslave\" – UK-press – \"ny gammal\"","Bilderbok: Alfons & Åberg-klassiker – \"ny gammal\"","Bomullsgarn 8/4, nystan ★ fynd ★","Teknobil Volvo Amazon 1:43, oanvänd","Tiara med pärlor, oanvänd","Mobilskal i läder, grön","Raggsockor, handstickade, strl 38–40 – \"ny gammal\"","Stormkök med kastruller & kaffepanna","Gustavsberg Berså tekanna i originalkartong","Armbandsur dam \"Certina\" 1960-tal i originalkartong","Skjorta, rutig, strl L","Gummistövlar blå strl 27 i originalkartong","Kaffekopp & fat Rörstrand \"Ostindia\" – fint skick","Brio träräls, 25 delar, röd","USB-C-kabel 2 m, röd","Switch-spel i fodral, 50-tal","Emaljskylt \"Varning för hunden\" ★ fynd ★","Nylonsträngad gitarr \"Levin\", oanvänd","Mobilskal i läder ★ fynd ★","Vykort Örnsköldsvik, hamnen ca 1910 – \"ny gammal\"","Trasmatta, blå & vit, 70 × 200 ★ fynd ★","LP: Cornelis Vreeswijk, Tio vackra visor, ljusblå","Emaljskylt \"Varning för hunden\" i originalkartong","Akvarell: Skärgård i dis, signerad, grön","Objektiv 50/1,8 för Nikon, oanvänd","Litografi, numrerad 12/200, grön","Analog kamera Zenit-E 58mm f/2 (nr 2)","Brudslöja i tyll & spets (nr 2)","Gummistövlar blå strl 27, ljusblå","Raggsockor, handstickade, strl 38–40, 50-tal","USB-C-kabel 2 m, ljusblå","Frimärken Sverige: skilling banco, repro, grön","Fantomen nr 3/1974 – fint skick – \"ny gammal\"","Objektiv 50/1,8 för Nikon ★ fynd ★","Minne DDR4 16 GB (2 × 8 GB), ljusblå","Fotogenlampa med glas <40 cm","Lusekofta \"Setesdal\" strl M, grön","Trädgårdsbok: Perenner för nordligt läge i originalkartong"]');
INSERT INTO bulk_batches VALUES (3, 2, 133, 2, X'0000000000000000', X'A047C3239F47C323', X'11170000B4000000', X'0C170000AF000000', NULL, NULL, NULL, NULL, '["Målat skrin från Dalarna, daterat 1834 i originalkartong","Raggsockor, handstickade, strl 38–40 – fint skick"]');
INSERT INTO bulk_batches VALUES (4, 1, 1, 2, X'0100000002000000', X'9847C3230746C323', X'D2000000D0020000', X'CA000000DB020000', NULL, NULL, NULL, NULL, '["Halsduk i lammull – rutig","Lusekofta \"Setesdal\" strl M, grön"]');
INSERT INTO bulk_batches VALUES (5, 1, 1, 1, X'01000000', X'9947C323', X'24000000', X'00000000', NULL, NULL, NULL, NULL, NULL);
INSERT INTO bulk_batches VALUES (6, 1, 1, 1, X'01000000', X'9847C323', X'96000000', X'D2000000', NULL, NULL, NULL, NULL, NULL);
INSERT INTO bulk_batches VALUES (7, 1, 1, 20, X'02000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000', X'A547C323A047C3239F47C3239947C3239847C3239747C3239547C3238E47C3238D47C3238B47C3238947C3238547C3238447C3237E47C3237C47C3237B47C3237747C3236F47C3236947C3236647C323', NULL, NULL, NULL, NULL, NULL, NULL, '["Kopp","Målat skrin från Dalarna, daterat 1834 i originalkartong","Raggsockor, handstickade, strl 38–40 – fint skick","Bomullsgarn 8/4, nystan & fri frakt","Halsduk i lammull – rutig","Laddare 20 W, vit & fri frakt","Fantomen nr 3/1974 – fint skick, ljusblå","LP: Nationalteatern – Livet är en fest","Minnesmynt 50 kr 1976 \"Bröllopet\" ★ fynd ★","Skärp i brunt läder, längd 95 cm – fint skick","Kortspel: \"Lång tid att leva\" – fint skick","Skärp i brunt läder, längd 95 cm ★ fynd ★","Minnesmynt 50 kr 1976 \"Bröllopet\" – \"ny gammal\"","Kosta Boda snöboll, ljuslykta, röd","Klänning 1960-tal, orange & brun (nr 2)","Fotogenlampa med glas <40 cm (nr 2)","Laddare 20 W, vit, röd","LP: Nationalteatern – Livet är en fest ★ fynd ★","Målat skrin från Dalarna, daterat 1834, oanvänd","Målat skrin från Dalarna, daterat 1834, ljusblå"]');
INSERT INTO bulk_states VALUES (1, 1, 0, 0, 0, 134, 0, 0, 0, 0, X'0303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303', X'814A5D05824A5D05834A5D05844A5D05854A5D05864A5D05874A5D05884A5D05894A5D058A4A5D058B4A5D058C4A5D058D4A5D058E4A5D058F4A5D05904A5D05914A5D05924A5D05934A5D05944A5D05954A5D05964A5D05974A5D05984A5D05994A5D059A4A5D059B4A5D059C4A5D059D4A5D059E4A5D059F4A5D05A04A5D05A14A5D05A24A5D05A34A5D05A44A5D05A54A5D05A64A5D05A74A5D05A84A5D05A94A5D05AA4A5D05AB4A5D05AC4A5D05AD4A5D05AE4A5D05AF4A5D05B04A5D05B14A5D05B24A5D05B34A5D05B44A5D05B54A5D05B64A5D05B74A5D05B84A5D05B94A5D05BA4A5D05BB4A5D05BC4A5D05BD4A5D05BE4A5D05BF4A5D05C04A5D05C14A5D05C24A5D05C34A5D05C44A5D05C54A5D05C64A5D05C74A5D05C84A5D05C94A5D05CA4A5D05CB4A5D05CC4A5D05CD4A5D05CE4A5D05CF4A5D05D04A5D05D14A5D05D24A5D05D34A5D05D44A5D05D54A5D05D64A5D05D74A5D05D84A5D05D94A5D05DA4A5D05DB4A5D05DC4A5D05DD4A5D05DE4A5D05DF4A5D05E04A5D05E14A5D05E24A5D05E34A5D05E44A5D05E54A5D05E64A5D05E74A5D05E84A5D05E94A5D05EA4A5D05EB4A5D05EC4A5D05ED4A5D05EE4A5D05EF4A5D05F04A5D05F14A5D05F24A5D05F34A5D05F44A5D05F54A5D05F64A5D05F74A5D05F84A5D05F94A5D05FA4A5D05FB4A5D05FC4A5D05FD4A5D05FE4A5D05FF4A5D05004B5D05014B5D05024B5D05034B5D05044B5D05054B5D05064B5D05', NULL, NULL, 0, 1795511370182);
INSERT INTO bulk_states VALUES (2, 1, 0, 0, 0, 2, 0, 0, 0, 0, X'0303', X'074B5D05084B5D05', NULL, NULL, 0, 1795511372441);
INSERT INTO bulk_states VALUES (2, 2, 0, 0, 0, 0, 0, 0, 0, 1, X'07', X'00000000', NULL, '[["1 kr is a tenth of the present 29 kr or less: a missing zero?",[0]]]', 0, NULL);
INSERT INTO bulk_states VALUES (2, 3, 0, 0, 0, 0, 0, 0, 0, 0, X'08', X'00000000', NULL, '[["no live shop item has this id",[0]]]', 1, NULL);
INSERT INTO bulk_states VALUES (3, 1, 0, 0, 0, 132, 0, 0, 0, 0, X'030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303', X'094B5D050A4B5D050B4B5D050C4B5D050D4B5D050E4B5D050F4B5D05104B5D05114B5D05124B5D05134B5D05144B5D05154B5D05164B5D05174B5D05184B5D05194B5D051A4B5D051B4B5D051C4B5D051D4B5D051E4B5D051F4B5D05204B5D05214B5D05224B5D05234B5D05244B5D05254B5D05264B5D05274B5D05284B5D05294B5D052A4B5D052B4B5D052C4B5D052D4B5D052E4B5D052F4B5D05304B5D05314B5D05324B5D05334B5D05344B5D05354B5D05364B5D05374B5D05384B5D05394B5D053A4B5D053B4B5D053C4B5D053D4B5D053E4B5D053F4B5D05404B5D05414B5D05424B5D05434B5D05444B5D05454B5D05464B5D05474B5D05484B5D05494B5D054A4B5D054B4B5D054C4B5D054D4B5D054E4B5D054F4B5D05504B5D05514B5D05524B5D05534B5D05544B5D05554B5D05564B5D05574B5D05584B5D05594B5D055A4B5D055B4B5D055C4B5D055D4B5D055E4B5D055F4B5D05604B5D05614B5D05624B5D05634B5D05644B5D05654B5D05664B5D05674B5D05684B5D05694B5D056A4B5D056B4B5D056C4B5D056D4B5D056E4B5D056F4B5D05704B5D05714B5D05724B5D05734B5D05744B5D05754B5D05764B5D05774B5D05784B5D05794B5D057A4B5D057B4B5D057C4B5D057D4B5D057E4B5D057F4B5D05804B5D05814B5D05824B5D05834B5D05844B5D05854B5D05864B5D05874B5D05884B5D05894B5D058A4B5D058B4B5D058C4B5D05', NULL, NULL, 0, 1795511374582);
INSERT INTO bulk_states VALUES (3, 2, 0, 0, 0, 0, 0, 0, 0, 2, X'0707', X'0000000000000000', NULL, '[["the live price is 5 900 kr and not 5 319 kr: it was changed since",[0]],["the live price is 175 kr and not 159 kr: it was changed since",[1]]]', 0, NULL);
INSERT INTO bulk_states VALUES (4, 1, 0, 0, 0, 2, 0, 0, 0, 0, X'0303', X'8D4B5D058E4B5D05', NULL, NULL, 0, 1795511376559);
INSERT INTO bulk_states VALUES (5, 1, 0, 0, 0, 1, 0, 0, 0, 0, X'03', X'924B5D05', NULL, NULL, 0, 1795511382609);
INSERT INTO bulk_states VALUES (6, 1, 0, 0, 0, 1, 0, 0, 0, 0, X'03', X'934B5D05', NULL, NULL, 0, 1795511386865);
INSERT INTO bulk_states VALUES (7, 1, 8, 1, 11, 0, 0, 0, 0, 0, X'0202020202020202020202010000000000000000', X'944B5D05954B5D05964B5D05974B5D05984B5D05994B5D059A4B5D059B4B5D059C4B5D059D4B5D059E4B5D05000000000000000000000000000000000000000000000000000000000000000000000000', NULL, NULL, 0, 1795511396217);
INSERT INTO costs VALUES ('default', 1001, 600000408, '', 1795511391077, 10000, NULL, NULL);
INSERT INTO price_shops VALUES (1, 'default', 1001, 1795511370132, 0, 1795511396189, 6, NULL, 7, 139, X'CA9E9ABC046209985C01DE020B4801AC0201A60203540DAA0401980203C802038A0107F00401D4010B800103A60501D80507B6020FBC050BBA4505D81103FC0101B60A07C8060BD8020984150DE40301A40101A40109940505B003032801820603B00101840203D00A01A6010152073E07800209880201B61303B00603A40703D40207B0010B920503964807AC0203E002013C059C5901D20303F2110B9A0103E205039C1107E60703EE0801842701EA22014603DE0E019C0101E80105A607052C05DA14018601038E0A058804018E0101C00A035E01800901D40803C60603D40303B002033009DC020D8222059028055A03C803034013880303D0010D9E0209AE09054C0184030DEC04053E05B60303BE0D019A0107C20C0B3E01E20703D207034203E00309BA01015A03C003079C0909D20201B80301F40517A01203F01201A00201AC010DF00303A6040FEA0101F00301860801B41A09A602018E0105C00D05E60113860701B02503A80F11EC0F05840405AE0A0B9C0205CE0307AC01075E0548018617018E0A0DD00403A00B0BD402');
INSERT INTO price_readings VALUES (1, 1, 1795511372334, 1, 1, 134, X'C09E9ABC04A25C93090201E80229000B4409000194032D0001A6022300035405000DAA043700019802150003C8021D00038A01130007F004410001D4010D000B8001090003A6053B0001D805450007B6021F000FBC053D000BBA45FB060005D811E1010003FC01210001B60A87010007C80651000BD80219000984159102000DE4032D0001A401050001A40105000994053D0005B0032100058206470003B0011100018402150003D00A8D010001A601070001520300073E03000780021100098802190001B613F7010003B0064D0003A4075D0003D402290007B00111000B92053B0003964897070007AC02150003E0022100013C0100059C59F5080001D2032F0003F211E701000B9A010F0003E2054F00039C11E1010007E607630003EE087300018427F1030001EA22B7030001460B0003DE0EBB0100019C01110001E8010D0005A6075F000BDA148F02000186010F00038E0A8701000588042900018E01030001C00A7D00035E0F00018009710001D4086D0003C6064F0003D403310003B00219000DDC021D000D8222B30300059028850400055A0B0003C803250003400500138803210003D00109000D9E021B0009AE0977000784031D000DEC043D00053E030005B603270003BE0DA70100019A010F0007C20CA301000B3E030001E2075F0003D20763000342070003E003290009BA010700015A0B0003C0033100079C09790009D202270001B803290001F4054D0017A012ED010003F012ED010001A0021D0001AC010D000DF003390003A60433000FEA010F0001F00339000186085B0001B41AD5020009A6022300018E01030005C00DA9010005E6010B00138607530001B025E5030003A80FC9010011EC0FD10100058404390005AE0A7F000B9C02190005CE032B0007AC010D00075E0F0005480D00018617A30200018E0A8701000DD004350003B60B8F01000BD4022900');
INSERT INTO price_readings VALUES (2, 1, 1795511374392, 2, 1, 2, X'C09E9ABC048E538A090401BE022000');
INSERT INTO price_readings VALUES (3, 1, 1795511376534, 3, 1, 132, X'B29E9ABC043A0A0601E6022E000182022400034E06000DF2033800018202160003AA021E000376140007AE04420001C6010E000B760A0003EA043C00019205460007960220000FFE043E000BBE3EFC060005F60FE2010003DA01220001AE0988010007F60552000BBE021A0009F2129202000DB6032E00019E010600019E01060009D6043E00058E03220005BA054800039E01120001EE01160003C2098E0100019E010800014E0400073A040007EE01120009EE011A0001BE11F8010003E2054E0003C6065E0003AA022A00079E0112000BD6043C0003FE40980700079602160003BE022200013A020005A650F6080001A2033000038A10E801000B8A011000039205500003BA0FE20100078207640003FA077400019223F2030001B21FB80300013A0C0003A20DBC0100018A01120001DA010E0005C60660000BCA129002000176100003860988010005DE032A00018A01040001C2097E00034E1000018E08720001E6076E0003F605500003A20332000396021A000DBE021E000DCE1EB40300058A24860400054E0C0003A2032600033A060013E602220003C6010A000D82021C0009B608780007E6021E000DAE043E00053A0400058E03280003960CA80100018A011000079E0BA401000B3A0400018207600003EE066400033A080003B6032A0009B2010800014E0C00038E03320007A2087A0009AA022800018E032A0001A6054E0017B210EE0100038211EE01000182021E00019E010E000DB6033A0003F20334000FDA01100001B6033A0001AA075C0001DE17D602000982022400018A01040005960CAA010005DA010C0013B206540001CA21E6030003DE0DCA0100119A0ED2010005CA033A0005AE098001000B82021A0005A2032C00079E010E00074E1000053A0E0001E214A402000186098801000D9A04360003A60A9001000BAA022A00');
INSERT INTO price_readings VALUES (4, 1, 1795511385842, 5, 1, 4, X'B29E9ABC0444040A0194031001A106B60B1500BC06016407');
INSERT INTO price_readings VALUES (5, 1, 1795511396189, 6, 1, 1, X'B09E9ABC04A403770C');
INSERT INTO sales_shops VALUES (1, 'default', 'http://127.0.0.1:41732', 1001);
INSERT INTO transactions VALUES (1, 300000002, 1792179565000, 1792179565000, 1795511390345, 347, 0, 0, 0, 600000013, 'Objektiv 50/1,8 för Nikon, grön', '["1001-0013","HYLLA B&24"]', 2003, 'ÖrebroTord');
INSERT INTO transactions VALUES (1, 300000004, 1792297585000, 1792383985000, 1795511390345, 25, 1, 0, 0, 600000002, 'Lusekofta "Setesdal" strl M & fri frakt', '["1001-0002","HYLLA Å&11"]', 2002, 'samlar-Eva');
INSERT INTO transactions VALUES (1, 300000005, 1792457605000, 1792630405000, 1795511390345, 64, 1, 0, 0, 600000200, 'Nylonsträngad gitarr "Levin" (nr 2)', '["1001-0200","HYLLA A&25"]', 2001, 'pelle_p');
INSERT INTO transactions VALUES (1, 300000006, 1793325325000, 1793584525000, 1795511390345, 29, 1, 1, 0, 600000101, 'Rörstrand Mon Amie djup tallrik, 50-tal', '["1001-0101","HYLLA Å&1"]', 2004, 'lisa<3vinyl');
INSERT INTO transactions VALUES (1, 300000007, 1793405365000, 1793750965000, 1795511390345, 62, 1, 1, 1, 600000369, 'Handstickad mössa & vantar strl 92, grön', '["1001-0369"]', 2002, 'samlar-Eva');
INSERT INTO transactions VALUES (1, 300000015, 1793956165000, 1793956165000, 1795511390345, 170, 0, 0, 0, 600000001, 'Trädgårdsbok: Perenner för nordligt läge i originalkartong', '["1001-0001","HYLLA A&8"]', 2001, 'pelle_p');
INSERT INTO transactions VALUES (1, 300000016, 1794128965000, 1794215365000, 1795511390345, 731, 1, 0, 0, 600000007, 'Lusekofta "Setesdal" strl M, grön', '["1001-0007"]', 2002, 'samlar-Eva');
INSERT INTO transactions VALUES (1, 300000017, 1794301765000, 1794474565000, 1795511390345, 296, 1, 0, 0, 600000009, 'Fotogenlampa med glas <40 cm', '["1001-0009","HYLLA A&17"]', 2002, 'samlar-Eva');
INSERT INTO transactions VALUES (1, 300000018, 1794474565000, 1794733765000, 1795511390345, 647, 1, 1, 0, 600000016, 'Minne DDR4 16 GB (2 × 8 GB), ljusblå', '["1001-0016"]', 2004, 'lisa<3vinyl');
INSERT INTO transactions VALUES (1, 300000019, 1794647365000, 1794992965000, 1795511390345, 1475, 1, 1, 1, 600000017, 'Objektiv 50/1,8 för Nikon ★ fynd ★', '["1001-0017"]', 2005, 'k.nilsson');
INSERT INTO transactions VALUES (1, 300000021, 1794992965000, 1794992965000, 1795511390345, 47, 0, 0, 0, 600000021, 'Frimärken Sverige: skilling banco, repro, grön', '["1001-0021"]', 2001, 'pelle_p');
INSERT INTO transactions VALUES (1, 300000022, 1795165765000, 1795252165000, 1795511390345, 231, 1, 0, 0, 600000029, 'Raggsockor, handstickade, strl 38–40, 50-tal', '["1001-0029"]', 2002, 'samlar-Eva');
INSERT INTO transactions VALUES (1, 300000023, 1795338565000, 1795511365000, 1795511390345, 663, 1, 0, 0, 600000038, 'Brudslöja i tyll & spets (nr 2)', '["1001-0038","HYLLA Å&4"]', 2003, 'ÖrebroTord');
INSERT INTO transaction_ranges VALUES (1, 1785239409740, 1795424990275);
INSERT INTO sold_items VALUES (1, 600000001, 1788543925000, 140202, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000002, 1791433585000, 160203, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000007, 1776688645000, 160203, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000009, 1788514285000, 220403, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000013, 1791574765000, 190202, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000016, 1788911005000, 170201, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000017, 1782226045000, 190202, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000021, 1785079885000, 200101, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000029, 1772624425000, 210101, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000038, 1775593585000, 343227, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000101, 1792115725000, 120201, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000200, 1792025605000, 180401, 1795511390704);
INSERT INTO sold_items VALUES (1, 600000369, 1792973365000, 130102, 1795511390704);
INSERT INTO sale_watches VALUES (1, 'default', 1795424989441, 1795511389441);
INSERT INTO sales VALUES (1, 'default', 1001, 'Rea', 'shop:sale "Rea" 600000408=150', NULL, '{"min_price":null,"factor_ten":true,"min_margin":0,"max_change":0.5,"max_drift":0.5,"max_same":0.5,"shifted":true,"max_held":0.1,"max_total_fall":0.3}', 1795511385380, 1798103385381, 'running', 1795511385949, 1795511386846, NULL, 1798103385381, 0);
INSERT INTO sale_items VALUES (1, 600000408, 1, NULL, 210, 150, 0, 'on', NULL, 'Halsduk i lammull – rutig');
INSERT INTO sale_prices VALUES ('default', 1001, 600000408, 210, 150, NULL, NULL, NULL);
INSERT INTO sale_jobs VALUES (6, 1, 'start', 1);
CREATE INDEX jobs_by_state ON jobs (state);
CREATE INDEX requests_by_id ON requests (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX requests_by_state ON requests (state);
CREATE INDEX requests_by_job ON requests (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX calls_by_application ON calls (app_id, sandbox, at);
CREATE INDEX calls_by_age ON calls (at);
CREATE INDEX price_readings_by_shop ON price_readings (shop_id, id);
CREATE INDEX transactions_by_time ON transactions (shop_id, at);
CREATE INDEX sales_by_next ON sales (profile, user_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX sale_items_on ON sale_items (item_id) WHERE state = 'on';
CREATE INDEX sale_jobs_by_sale ON sale_jobs (sale_id);
CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;
PRAGMA application_id = 1397050450;
PRAGMA user_version = 16;
