import { cyEn } from '../texts.ts'
import type { DemoHub, DemoSite } from '../types.ts'

export const hubs: DemoHub[] = [
  {
    slug: 'trafnidiaeth',
    title: cyEn('Trafnidiaeth a phriffyrdd', 'Transport and highways'),
    summary: cyEn(
      'Bysiau, ffyrdd, palmentydd a llwybrau beicio, ym mhob tywydd.',
      'Buses, roads, pavements and cycle paths, in all weathers.',
    ),
    body: cyEn(
      `Rydym yn gofalu am 840 cilometr o ffyrdd, 190 o bontydd a saith gwasanaeth bws. Mae’r rhan fwyaf ohonynt yn dilyn yr afon, a phan fydd yr afon yn codi, bydd y cwm i gyd yn gwybod am hynny.

Dywedwch wrthym ble mae’r bws yn hwyr, ble mae’r palmant yn dod i ben a ble mae plant yn croesi. Mae pob ymgynghoriad yma’n dweud beth sydd wedi’i benderfynu eisoes a beth sy’n dal yn agored.`,
      `We look after 840 kilometres of road, 190 bridges and seven bus services. Most of them follow the river, and when the river rises the whole valley knows about it.

Tell us where the bus is late, where the pavement ends and where children cross. Each consultation here says what is decided already and what is still open.`,
    ),
    picture: '/demo/dyffryn/hub-trafnidiaeth.svg',
    pictureAlt: cyEn('Darlun o fws gwyrdd ar bont garreg', 'Drawing of a green bus on a stone bridge'),
    contact: 'trafnidiaeth',
  },
  {
    slug: 'addysg',
    title: cyEn('Addysg a phobl ifanc', 'Education and young people'),
    summary: cyEn('Tri deg un o ysgolion, a’r daith i bob un ohonynt.', 'Thirty-one schools, and the journey to each of them.'),
    body: cyEn(
      `Mae 9,400 o ddisgyblion yn ysgolion Dyffryn. Mae 63 o bob cant ohonynt yn cael eu haddysg drwy gyfrwng y Gymraeg, ac rydym am i bob teulu allu dewis hynny heb deithio’n bell.

Ni fydd ysgol yn agor, yn cau nac yn symud heb i ni ofyn i’r teuluoedd yn gyntaf.`,
      `There are 9,400 pupils in Dyffryn’s schools. Sixty-three in every hundred are taught through the medium of Welsh, and we want every family to be able to choose that without travelling far.

No school opens, closes or moves without our asking the families first.`,
    ),
    picture: '/demo/dyffryn/hub-addysg.svg',
    pictureAlt: cyEn('Darlun o ysgol garreg a phlant yn rhedeg ar yr iard', 'Drawing of a stone school and children running in the yard'),
    contact: 'addysg',
  },
  {
    slug: 'amgylchedd',
    title: cyEn('Amgylchedd ac afonydd', 'Environment and rivers'),
    summary: cyEn('Afon lân, strydoedd glân, a llai yn y bin.', 'A clean river, clean streets, and less in the bin.'),
    body: cyEn(
      `Glaw sy’n gwneud y cwm yn wyrdd, a glaw sy’n dod i mewn drwy’r drws cefn. Rydym yn cynllunio ar gyfer y ddau.

Ni sy’n casglu’r ailgylchu, yn cadw’r draeniau’n glir, yn plannu coed ar y llethrau ac yn mesur yr afon bob chwarter awr.`,
      `Rain makes the valley green, and rain comes in through the back door. We plan for both.

We collect the recycling, keep the drains clear, plant trees on the slopes and measure the river every fifteen minutes.`,
    ),
    picture: '/demo/dyffryn/hub-amgylchedd.svg',
    pictureAlt: cyEn('Darlun o las y dorlan uwchben yr afon', 'Drawing of a kingfisher above the river'),
    contact: 'amgylchedd',
  },
  {
    slug: 'tai-a-chynllunio',
    title: cyEn('Tai a chynllunio', 'Housing and planning'),
    summary: cyEn('Cartrefi y gall pobl leol eu fforddio, yn y mannau iawn.', 'Homes that local people can afford, in the right places.'),
    body: cyEn(
      `Mae pris tŷ yn Nyffryn bellach naw gwaith y cyflog cyffredin. Rydym yn adeiladu, yn prynu tai gwag ac yn ysgrifennu’r rheolau sy’n dweud beth gaiff ei godi a ble.

Pan fydd cais cynllunio ger eich cartref, cewch wybod trwy’r post ac yma.`,
      `A house in Dyffryn now costs nine times the usual wage. We build, we buy empty homes and we write the rules that say what may be built and where.

When there is a planning application near your home you hear of it by post, and here.`,
    ),
    picture: '/demo/dyffryn/hub-tai.svg',
    pictureAlt: cyEn('Darlun o res o dai teras â thoeon llechi', 'Drawing of a terrace of houses with slate roofs'),
    contact: 'tai',
  },
  {
    slug: 'diwylliant-a-hamdden',
    title: cyEn('Diwylliant, hamdden a’r Gymraeg', 'Culture, leisure and Welsh'),
    summary: cyEn(
      'Llyfrgelloedd, canolfannau, gwyliau, a’r iaith sy’n eu clymu ynghyd.',
      'Libraries, centres, festivals, and the language that ties them together.',
    ),
    body: cyEn(
      `Pum llyfrgell, tair canolfan hamdden, un theatr a mwy o gorau nag y gall neb eu cyfrif. Ni sy’n cadw’r drysau ar agor; chi sy’n eu llenwi.

Rydym hefyd yn gofalu am Strategaeth y Gymraeg: mwy o lefydd i’w dysgu, ac yn bwysicach, mwy o lefydd i’w defnyddio.`,
      `Five libraries, three leisure centres, one theatre and more choirs than anyone can count. We keep the doors open; you fill the rooms.

We also look after the Welsh language strategy: more places to learn it and, what matters more, more places to use it.`,
    ),
    picture: '/demo/dyffryn/hub-diwylliant.svg',
    pictureAlt: cyEn('Darlun o gôr yn canu o dan olau’r llwyfan', 'Drawing of a choir singing under stage lights'),
    contact: 'diwylliant',
  },
]

export const topics: DemoSite['topics'] = [
  { slug: 'trafnidiaeth', title: cyEn('Trafnidiaeth', 'Transport') },
  { slug: 'addysg', title: cyEn('Addysg', 'Education') },
  { slug: 'amgylchedd', title: cyEn('Amgylchedd', 'Environment') },
  { slug: 'tai', title: cyEn('Tai', 'Housing') },
  { slug: 'diwylliant', title: cyEn('Diwylliant', 'Culture') },
  { slug: 'cyllid', title: cyEn('Cyllid', 'Finance') },
  { slug: 'y-gymraeg', title: cyEn('Y Gymraeg', 'Welsh language') },
]
