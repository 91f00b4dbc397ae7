import { cyEn } from '../texts.ts'
import type { DemoPage } from '../types.ts'

export const pages: DemoPage[] = [
  {
    slug: 'amdanom',
    kind: 'page',
    title: cyEn('Sut mae eich barn yn cyfrif', 'How your view counts'),
    body: cyEn(
      `Dyma lle mae Cyngor Dyffryn yn gofyn cyn penderfynu. Mae tudalen i bob ymgynghoriad, o’r cwestiwn cyntaf hyd at yr hyn a ddaeth ohono.

## Beth rydym yn ei addo
- Gofyn yn gynnar, tra bo rhywbeth ar ôl i’w benderfynu.
- Darllen popeth, a chyhoeddi’r hyn a ddywedoch o fewn chwe wythnos i’r dyddiad cau.
- Dweud beth sy’n newid o’ch herwydd chi, beth nad yw’n newid, a pham.

## Pwy gaiff gymryd rhan
Unrhyw un sy’n byw, yn gweithio neu’n astudio yn y sir, beth bynnag ei oed. Nid oes angen cyfrif ar gyfer y rhan fwyaf o’r arolygon.

## Yn Gymraeg neu yn Saesneg
Mae popeth yma ar gael yn y ddwy iaith ar yr un pryd. Cewch ateb yn y naill neu’r llall, a chewch newid iaith hanner ffordd drwodd.

## Ffyrdd eraill
Mae pob arolwg hefyd ar bapur yn y pum llyfrgell. Ffoniwch, a bydd rhywun yn llenwi’r ffurflen gyda chi. Gallwch ysgrifennu atom ar [helo@dyffryn.example](mailto:helo@dyffryn.example).`,
      `This is where Dyffryn Council asks before it decides. Every consultation has a page, from the first question to what came of it.

## What we promise
- To ask early, while there is still something to decide.
- To read everything, and publish what you said within six weeks of the closing date.
- To say what changes because of you, what does not, and why.

## Who may take part
Anyone who lives, works or studies in the county, whatever their age. Most surveys need no account.

## In Welsh or in English
Everything here is available in both languages at the same time. You may answer in either, and change language half-way through.

## In other ways
Every survey is also on paper in the five libraries. Telephone, and someone will fill in the form with you. You can write to us at [helo@dyffryn.example](mailto:helo@dyffryn.example).`,
    ),
  },
  {
    slug: 'preifatrwydd',
    kind: 'legal',
    title: cyEn('Preifatrwydd', 'Privacy'),
    body: cyEn(
      `Cyngor Dyffryn yw’r rheolydd data. Rydym yn trin gwybodaeth bersonol ar y safle hwn yn unol â GDPR y DU a Deddf Diogelu Data 2018, fel rhan o’n gwaith er budd y cyhoedd.

## Beth rydym yn ei gadw
- Eich atebion i arolygon. Lle dywed arolwg ei fod yn ddienw, ni chedwir enw, cyfrif na chyfeiriad rhwydwaith gyda’r ateb.
- Os oes gennych gyfrif: eich cyfeiriad e-bost, yr enw a ddewiswch, eich iaith a’r prosiectau rydych yn eu dilyn.
- Er diogelwch: amser a chyfeiriad rhwydwaith pob tro y mewngofnodwch, am naw deg diwrnod.

## Beth rydym yn ei wneud ag ef
Rydym yn defnyddio atebion i gynllunio gwasanaethau ac yn eu cyhoeddi fel cyfansymiau. Ni chyhoeddir geiriau neb gyda’i enw. Ni ddangosir grwpiau o lai na phump o bobl.

Nid ydym yn gwerthu gwybodaeth. Dim ond y cwmnïau sy’n rhedeg ein gweinyddion, yn y Deyrnas Unedig ac o dan gontract, sy’n ei thrin ar ein rhan.

## Am ba hyd
Cedwir atebion am ddwy flynedd ar ôl i brosiect gau, ac yna fe’u gwneir yn ddienw. Caiff cyfrif nas defnyddiwyd ers tair blynedd ei ddileu ar ôl rhybudd.

## Eich hawliau
Gallwch weld, lawrlwytho, cywiro neu ddileu popeth sydd gennym amdanoch ar dudalen eich cyfrif. Gallwch hefyd gysylltu â’r swyddog diogelu data ar [data@dyffryn.example](mailto:data@dyffryn.example), a chwyno i Swyddfa’r Comisiynydd Gwybodaeth.`,
      `Dyffryn Council is the data controller. We handle personal information on this site under the UK GDPR and the Data Protection Act 2018, as part of our work in the public interest.

## What we keep
- Your answers to surveys. Where a survey says that it is anonymous, no name, account or network address is kept with the answer.
- If you have an account: your e-mail address, the name you choose, your language and the projects you follow.
- For security: the time and network address of each sign-in, for ninety days.

## What we do with it
We use answers to plan services and publish them as totals. Nobody’s words are published with their name. Groups of fewer than five people are not shown.

We do not sell information. Only the companies that run our servers, in the United Kingdom and under contract, handle it for us.

## For how long
Answers are kept for two years after a project closes and are then made anonymous. An account that has not been used for three years is deleted after a warning.

## Your rights
You can see, download, correct or delete everything we hold about you on your account page. You can also contact the data protection officer at [data@dyffryn.example](mailto:data@dyffryn.example), and complain to the Information Commissioner’s Office.`,
    ),
  },
  {
    slug: 'telerau',
    kind: 'legal',
    title: cyEn('Telerau defnyddio', 'Terms of use'),
    body: cyEn(
      `Drwy ddefnyddio’r safle hwn rydych yn derbyn ychydig o reolau syml.

## Yr hyn a ysgrifennwch
Chi biau’r hyn a ysgrifennwch. Rydych yn caniatáu i’r cyngor ei ddarllen, ei gyfrif, ei gyfieithu a’i gyhoeddi heb eich enw, at ddibenion yr ymgynghoriad a’r adroddiadau sy’n dilyn.

## Yr hyn na fyddwn yn ei gyhoeddi
- Sarhad, bygythiadau a chasineb.
- Gwybodaeth bersonol am rywun arall.
- Hysbysebion.

Os byddwn yn dal rhywbeth yn ôl, byddwn yn dweud wrth yr awdur pa reol a dorrwyd, a chaiff yntau neu hithau ofyn i rywun arall edrych eto.

## Cyfrif yn deg
Un person, un ateb, lle mae’r arolwg yn dweud hynny. Ni chyfrifir atebion a anfonwyd gan beiriant, a byddwn yn dweud faint oedd.

## Iaith
Ni chaiff yr un ateb ei drin yn llai ffafriol am ei fod yn Gymraeg neu yn Saesneg.

## Cyfrifoldeb
Rydym yn gofalu bod popeth yma’n gywir. Os bydd gwahaniaeth rhwng y safle hwn a phenderfyniad y cyngor, y penderfyniad sy’n cyfrif.`,
      `By using this site you accept a few simple rules.

## What you write
What you write is yours. You allow the council to read, count, translate and publish it without your name, for the purposes of the consultation and the reports that follow.

## What we will not publish
- Insults, threats and hatred.
- Personal information about somebody else.
- Advertisements.

If we hold something back we tell the author which rule was broken, and the author may ask for someone else to look again.

## Counting fairly
One person, one answer, where the survey says so. Answers sent by machine are not counted, and we say how many there were.

## Language
No answer is treated less favourably for being in Welsh or in English.

## Responsibility
We take care that everything here is right. Where this site differs from a decision of the council, the decision counts.`,
    ),
  },
  {
    slug: 'hygyrchedd',
    kind: 'legal',
    title: cyEn('Datganiad hygyrchedd', 'Accessibility statement'),
    body: cyEn(
      `Mae’r datganiad hwn yn berthnasol i safle ymgynghori Cyngor Dyffryn. Rydym am i gynifer o bobl â phosibl allu ei ddefnyddio.

## Beth ddylech allu ei wneud
- Defnyddio’r safle cyfan â bysellfwrdd neu â darllenydd sgrin, yn y ddwy iaith.
- Chwyddo hyd at 400 y cant heb golli dim.
- Ateb arolwg heb JavaScript, a dod yn ôl at ateb sydd ar ei hanner.
- Darllen pob siart fel tabl, a phob lle ar fap fel cyfeiriad.

## Pa mor hygyrch yw’r safle
Mae’r safle’n cydymffurfio’n rhannol â safon AA y Canllawiau Hygyrchedd Cynnwys Gwe (WCAG) 2.2, am y rheswm isod.

## Cynnwys nad yw’n hygyrch
Mae rhai dogfennau o gyfnod cyn {year:-3} yn lluniau wedi’u sganio. Gofynnwch, ac fe anfonwn y testun atoch o fewn tri diwrnod gwaith.

## Adborth a gorfodi
Os bydd rhywbeth yn eich rhwystro, ysgrifennwch at [hygyrchedd@dyffryn.example](mailto:hygyrchedd@dyffryn.example). Byddwn yn ateb o fewn dau ddiwrnod gwaith. Os na fyddwch yn fodlon, cysylltwch â’r Gwasanaeth Cynghori a Chymorth Cydraddoldeb (EASS). Y Comisiwn Cydraddoldeb a Hawliau Dynol sy’n gorfodi Rheoliadau Hygyrchedd Cyrff y Sector Cyhoeddus 2018.`,
      `This statement applies to the consultation site of Dyffryn Council. We want as many people as possible to be able to use it.

## What you should be able to do
- Use the whole site with a keyboard or with a screen reader, in both languages.
- Zoom to 400 per cent without losing anything.
- Answer a survey without JavaScript, and come back to a half-finished answer.
- Read every chart as a table, and every place on a map as an address.

## How accessible the site is
The site is partially compliant with level AA of the Web Content Accessibility Guidelines (WCAG) 2.2, for the reason below.

## Content that is not accessible
Some documents from before {year:-3} are scanned pictures. Ask, and we will send you the text within three working days.

## Feedback and enforcement
If something stops you, write to [hygyrchedd@dyffryn.example](mailto:hygyrchedd@dyffryn.example). We answer within two working days. If you are not satisfied, contact the Equality Advisory and Support Service (EASS). The Equality and Human Rights Commission enforces the Public Sector Bodies Accessibility Regulations 2018.`,
    ),
  },
  {
    slug: 'cwcis',
    kind: 'legal',
    title: cyEn('Cwcis', 'Cookies'),
    body: cyEn(
      `Nodyn bach y mae gwefan yn ei adael yn eich porwr yw cwci. Rydym yn gadael cyn lleied ag y gallwn.

Mae [Cwcis a gwasanaethau eraill](/cookies) yn rhestru pob un, ei ddiben a pha mor hir y mae’n aros. Y wefan ei hun sy’n llunio’r rhestr, felly mae bob amser yn gyflawn.

Cedwir atebion rydych wedi’u dechrau yn eich porwr eich hun, ac ar ein gweinydd pan ewch ymlaen i’r cam nesaf neu ddewis gorffen yn nes ymlaen.

Nid oes dim yn mynd i rwydweithiau hysbysebu.`,
      `A cookie is a small note that a site leaves in your browser. We leave as few as we can.

[Cookies and other services](/cookies) lists every one of them, what it is for and how long it stays. The list is made by the site itself, so that it is always complete.

Answers you have begun are kept in your own browser, and on our server once you go on to the next step or choose to finish later.

No advertising network receives anything.`,
    ),
  },
]
