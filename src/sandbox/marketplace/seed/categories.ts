/**
 * The tree of categories, in a notation that is easy to read: a line for a root, then a line for each child with its leaves.
 * `id=` is given if the id is known from outside (docs/service.md, Ids with a known meaning); the others follow from their place.
 */
const TREE = `
11 Accessoarer & smycken
  Armband: Guldarmband, Silverarmband, Läderarmband, Pärlarmband
  Ringar: Guldringar, Silverringar, Herrringar
  Klockor: Armbandsur herr, Armbandsur dam, Fickur, Klockarmband
  Halsband: Guldkedjor, Silverkedjor, Pärlhalsband
12 Antikt & design
  Allmoge: Skrin & askar, Skedar & slevar, Textilier
  Porslin: Rörstrand, Gustavsberg, Övrigt porslin
  Glas: Orrefors, Kosta Boda, Övrigt glas
  Silver & nysilver: Bestick, Ljusstakar, Skålar & fat
  Design: Belysning, Möbler, Keramik
13 Barn & baby
  Barnkläder: Overaller, Mössor & vantar, Klänningar
  Barnskor: Stövlar, Gympaskor, Sandaler
  Barnvagnar: Sittvagnar, Liggvagnar, Tillbehör till barnvagnar
  Barnrum: Sängar, Sängkläder, Lampor till barnrum
14 Böcker & tidningar
  Skönlitteratur: Deckare, Klassiker, Lyrik, Fantasy & science fiction
  Facklitteratur: Historia, Trädgård, Mat & dryck, Lokalhistoria
  Barnböcker: Bilderböcker, Kapitelböcker, Sagor
  Serier: Seriealbum, Kalle Anka, Fantomen, Manga
  Tidningar: Veckotidningar, Motortidningar, Handarbete
15 Bygg & trädgård
  Verktyg: Handverktyg, Elverktyg, Mätverktyg
  Trädgård: Krukor, Fröer & lökar, Redskap
  Beslag: Dörrhandtag, Gångjärn, Lås & nycklar
16 Kläder
  1612=Accessoarer: 161213=Bälten & skärp, Halsdukar & sjalar, Handskar & vantar, Hattar & mössor, Solglasögon, 341084=Bröllopsaccessoarer
  Damkläder: Klänningar & kjolar, Jackor & kappor, Tröjor & koftor, Blusar
  Herrkläder: Skjortor, Jackor & rockar, Stickat, Kostymer
  Vintage: 1950-tal, 1960-tal, 1970-tal
17 Datorer & tillbehör
  Datorer: Bärbara datorer, Stationära datorer, Retrodatorer
  Komponenter: Minnen, Grafikkort, Moderkort
  Tillbehör: Tangentbord & möss, Skärmar, Kablar
18 Film & musik
  Vinyl: Rock & pop, Jazz & blues, Svenskt, Hårdrock, Klassiskt
  CD: Rock & pop på CD, Svenskt på CD, Boxar
  Film: DVD, Blu-ray, VHS
  Instrument: Gitarrer, Klaviaturer, Noter
19 Foto & kameror
  Kameror: Systemkameror, Analoga kameror, Polaroid
  Objektiv: Canon, Nikon, Övriga objektiv
  Fototillbehör: Stativ, Väskor, Filter
20 Frimärken
  Sverige: Före 1900, 1900–1950, Efter 1950, Häften & ark
  Norden: Danmark, Norge, Finland
  Världen: Europa, Asien, Motiv
21 Handgjort & konsthantverk
  Stickat & virkat: Sockor, Sjalar, Grytlappar
  Keramik & trä: Skålar, Muggar, Slöjd
  Kort & papper: Gratulationskort, Pappersslöjd
22 Hem & hushåll
  Kök: Köksredskap, Kastruller & stekpannor, Kaffe & te, Brickor
  Textil: Gardiner, Dukar, Kuddar, Mattor
  Inredning: Vaser, Ljusstakar till hemmet, Speglar, Tavelramar
  Belysning: Taklampor, Bordslampor, Fotogenlampor
23 Hobby
  Garn & tyg: Ullgarn, Bomullsgarn, Metervara, Stickor & virknålar
  Modellbygge: Plastmodeller, Järnväg, Radiostyrt
  Sällskapsspel: Brädspel, Kortspel, Pussel
24 Konst
  Måleri: Oljemålningar, Akvareller, Miniatyrer
  Grafik: Litografier, Träsnitt, Etsningar
  Skulptur: Brons, Trä, Sten
25 Mynt & sedlar
  Svenska mynt: Kopparmynt, Silvermynt, Guldmynt, Minnesmynt
  Utländska mynt: Mynt från Norden, Mynt från Europa
  Sedlar: Svenska sedlar, Utländska sedlar
26 Samlarsaker
  Vykort: Topografi, Jul & påsk, Kungligt
  Reklam: Plåtskyltar, Askar & burkar, Emaljskyltar
  Militaria: Medaljer, Uniformer
  Nostalgi: Bokmärken, Filmstjärnor, Kapsyler
27 Skor
  Damskor: Stövlar & kängor, Pumps, Sandaler dam
  Herrskor: Kängor, Finskor, Träskor
28 Sport & fritid
  Cykel: Cyklar, Cykeldelar, Cykelkläder
  Vintersport: Längdskidor, Skridskor, Hockey
  Fiske: Spön, Rullar, Drag & beten
  Friluftsliv: Tält, Ryggsäckar, Stormkök
29 Telefoni & surfplattor
  Mobiltelefoner: Apple, Samsung, Knapptelefoner
  Tillbehör till telefoner: Skal & fodral, Laddare, Hörlurar
30 TV-spel
  Nintendo: NES, SNES, Switch, Game Boy
  Playstation: Playstation 1 & 2, Playstation 4 & 5
  Sega: Mega Drive, Master System
31 Leksaker
  Byggleksaker: Lego, Brio, Meccano
  Dockor: Sasha, Barbie, Dockskåp
  Fordon: Teknobilar, Matchbox, Tågbanor
34 Övrigt
  Blandat: Lådor & partier, Presentkort, Biljetter
  Test: 344481=Testkategori, Tomkategori
`

export interface CategorySeed {
  readonly id: number
  readonly name: string
  readonly parent: number | undefined
}

/** A word of a line, `Name` or `id=Name`. */
function word(text: string, otherwise: number): { id: number; name: string } {
  const match = /^(\d+)=(.*)$/.exec(text)
  return match === null ? { id: otherwise, name: text } : { id: Number(match[1]), name: match[2] ?? '' }
}

function read(tree: string): CategorySeed[] {
  const all: CategorySeed[] = []
  let root = 0
  let children = 0
  for (const line of tree.split('\n')) {
    if (line.trim() === '') continue
    if (!line.startsWith(' ')) {
      root = Number(line.slice(0, 2))
      children = 0
      all.push({ id: root, name: line.slice(3), parent: undefined })
      continue
    }
    const [head = '', leaves = ''] = line.trim().split(': ')
    children++
    const child = word(head, root * 100 + children)
    all.push({ ...child, parent: root })
    leaves.split(', ').forEach((leaf, index) => {
      all.push({ ...word(leaf, child.id * 100 + index + 1), parent: child.id })
    })
  }
  // A branch of four levels that other clients have seen (docs/service.md, Reference data).
  all.push({ id: 343227, name: 'Brudslöjor', parent: 341084 }, { id: 343228, name: 'Tiaror & hårsmycken', parent: 341084 })
  return all
}

/** Every category, parents before their children. */
export const CATEGORIES: readonly CategorySeed[] = read(TREE)
/** The category meant for tests (docs/service.md, Ids with a known meaning). */
export const TEST_CATEGORY_ID = 344481
