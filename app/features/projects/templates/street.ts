import { toTranslated } from '#app/features/surveys/templates/template-parts.ts'
import { traffic } from '#app/features/surveys/templates/traffic.ts'
import { createCategories, type ProjectTemplate } from './template-parts.ts'

export const street: ProjectTemplate = {
  id: 'street',
  title: toTranslated('A safer street', 'Une rue plus sûre', 'Stryd fwy diogel'),
  text: toTranslated(
    'Changes to how a street looks and how people move along it.',
    'Des changements à l’aspect d’une rue et à la façon dont on s’y déplace.',
    'Newidiadau i olwg stryd ac i’r ffordd y mae pobl yn symud ar hyd-ddi.',
  ),
  summary: toTranslated(
    'We want to make the street safer and more pleasant for everyone who lives, works or travels here. Tell us how it works for you today and what should change.',
    'Nous voulons rendre la rue plus sûre et plus agréable pour toutes les personnes qui y vivent, y travaillent ou y passent. Dites-nous comment elle fonctionne pour vous aujourd’hui et ce qui devrait changer.',
    'Rydym am wneud y stryd yn fwy diogel a dymunol i bawb sy’n byw, yn gweithio neu’n teithio yma. Dywedwch sut mae’n gweithio i chi heddiw a beth ddylai newid.',
  ),
  body: toTranslated(
    `## Why this street

People tell us about speeding, about crossings that do not feel safe and about too little room to walk. Before we draw anything, we want to know what it is like for you.

## What could change

- crossings and sidewalks
- speed and through traffic
- room for bicycles, buses, deliveries and parking
- trees, seats and lighting

Nothing is decided yet. The width of the street and the money set limits, and we will say openly where they do.

## How to take part

Answer the survey, post an idea, or do both. If you would rather talk to us, or need this page in another form, use the contact details on this page.

## What happens with what you say

We read every answer. First we publish what we heard. Then we show a design and say what we took from your answers, what we did not, and why.`,
    `## Pourquoi cette rue

On nous parle d’excès de vitesse, de traversées qui ne semblent pas sûres et de trop peu de place pour marcher. Avant de dessiner quoi que ce soit, nous voulons savoir ce que vous vivez.

## Ce qui pourrait changer

- les traversées et les trottoirs
- la vitesse et la circulation de transit
- la place des vélos, des autobus, des livraisons et du stationnement
- les arbres, les bancs et l’éclairage

Rien n’est encore décidé. La largeur de la rue et l’argent disponible fixent des limites, et nous dirons ouvertement lesquelles.

## Comment participer

Répondez au sondage, proposez une idée, ou faites les deux. Si vous préférez nous parler, ou si vous avez besoin de cette page sous une autre forme, écrivez-nous aux coordonnées qui figurent sur cette page.

## Ce que nous faisons de vos réponses

Nous lisons chaque réponse. Nous publions d’abord ce que nous avons entendu. Puis nous présentons un aménagement et disons ce que nous avons retenu de vos réponses, ce que nous n’avons pas retenu, et pourquoi.`,
    `## Pam y stryd hon

Mae pobl yn sôn wrthym am oryrru, am groesfannau nad ydynt yn teimlo’n ddiogel ac am rhy ychydig o le i gerdded. Cyn i ni lunio dim, rydym am wybod sut brofiad yw hi i chi.

## Beth allai newid

- croesfannau a phalmentydd
- cyflymder a thraffig trwodd
- lle i feiciau, bysiau, danfoniadau a pharcio
- coed, seddi a goleuadau

Nid oes dim wedi’i benderfynu eto. Mae lled y stryd a’r arian yn gosod terfynau, a byddwn yn dweud yn agored ble mae hynny.

## Sut i gymryd rhan

Atebwch yr arolwg, rhannwch syniad, neu gwnewch y ddau. Os byddai’n well gennych siarad â ni, neu os oes angen y dudalen hon arnoch ar ffurf arall, defnyddiwch y manylion cyswllt ar y dudalen hon.

## Beth sy’n digwydd i’r hyn a ddywedwch

Rydym yn darllen pob ateb. Yn gyntaf, byddwn yn cyhoeddi’r hyn a glywsom. Yna byddwn yn dangos dyluniad ac yn dweud beth a gymerwyd o’ch atebion, beth na chymerwyd, a pham.`,
  ),
  stages: [
    {
      id: 'listen',
      kind: 'listen',
      title: toTranslated('Tell us about the street', 'Parlez-nous de la rue', 'Dywedwch wrthym am y stryd'),
      summary: toTranslated(
        'How you use it, what troubles you, and what you would change.',
        'Comment vous l’utilisez, ce qui vous dérange et ce que vous changeriez.',
        'Sut rydych chi’n ei defnyddio, beth sy’n eich poeni, a beth fyddech chi’n ei newid.',
      ),
      weeks: [0, 4],
    },
    {
      id: 'design',
      kind: 'inform',
      title: toTranslated('We draw a design', 'Nous dessinons un aménagement', 'Rydym yn llunio dyluniad'),
      summary: toTranslated(
        'We publish what we heard, and a design that answers it.',
        'Nous publions ce que nous avons entendu, et un aménagement qui y répond.',
        'Byddwn yn cyhoeddi’r hyn a glywsom, a dyluniad sy’n ymateb iddo.',
      ),
      weeks: [4, 10],
    },
    {
      id: 'decide',
      kind: 'decide',
      title: toTranslated('The council decides', 'Le conseil décide', 'Mae’r cyngor yn penderfynu'),
      summary: toTranslated(
        'Councillors get the design together with a report on everything you said.',
        'Les membres du conseil reçoivent l’aménagement avec un rapport sur tout ce que vous avez dit.',
        'Bydd cynghorwyr yn cael y dyluniad ynghyd ag adroddiad ar bopeth a ddywedoch.',
      ),
      weeks: [10, 14],
    },
    {
      id: 'build',
      kind: 'do',
      title: toTranslated('Work on the street', 'Les travaux', 'Gwaith ar y stryd'),
      summary: toTranslated(
        'Dates, diversions and who to call are posted here before work starts.',
        'Les dates, les détours et la personne à appeler sont publiés ici avant le début des travaux.',
        'Bydd dyddiadau, gwyriadau a phwy i’w ffonio yn cael eu cyhoeddi yma cyn i’r gwaith ddechrau.',
      ),
      weeks: [14, 40],
    },
  ],
  activities: [
    {
      kind: 'ideas',
      stage: 'listen',
      title: toTranslated('Ideas for the street', 'Des idées pour la rue', 'Syniadau ar gyfer y stryd'),
      intro: toTranslated(
        'What one change would make the street better? Say where it is and why it matters. You can also support what others have posted.',
        'Quel changement améliorerait la rue? Dites où et pourquoi c’est important. Vous pouvez aussi appuyer ce que d’autres ont proposé.',
        'Pa un newid fyddai’n gwella’r stryd? Dywedwch ble mae a pham mae’n bwysig. Gallwch hefyd gefnogi’r hyn y mae eraill wedi’i rannu.',
      ),
      categories: createCategories(
        ['crossings', 'Crossings and sidewalks', 'Traversées et trottoirs', 'Croesfannau a phalmentydd'],
        ['speed', 'Speed and traffic', 'Vitesse et circulation', 'Cyflymder a thraffig'],
        ['bicycles', 'Bicycles and buses', 'Vélos et autobus', 'Beiciau a bysiau'],
        ['parking', 'Parking and deliveries', 'Stationnement et livraisons', 'Parcio a danfoniadau'],
        ['green', 'Trees, seats and lighting', 'Arbres, bancs et éclairage', 'Coed, seddi a goleuadau'],
      ),
    },
  ],
  surveys: [traffic],
  rounds: [],
  faqs: [
    {
      question: toTranslated(
        'Is anything decided already?',
        'Y a-t-il déjà quelque chose de décidé?',
        'A oes unrhyw beth wedi’i benderfynu eisoes?',
      ),
      answer: toTranslated(
        'No. We draw a design only after this first stage, and the council decides on it in public.',
        'Non. Nous ne dessinons un aménagement qu’après cette première étape, et le conseil en décide en public.',
        'Nac oes. Dim ond ar ôl y cam cyntaf hwn y byddwn yn llunio dyluniad, a bydd y cyngor yn penderfynu arno’n gyhoeddus.',
      ),
    },
    {
      question: toTranslated(
        'Will there be fewer parking places?',
        'Y aura-t-il moins de places de stationnement?',
        'A fydd llai o leoedd parcio?',
      ),
      answer: toTranslated(
        'We do not know yet. If a design changes parking, it will say how many places there are today and how many there would be.',
        'Nous ne le savons pas encore. Si un aménagement touche le stationnement, il indiquera le nombre de places actuel et le nombre prévu.',
        'Ni wyddom eto. Os bydd dyluniad yn newid parcio, bydd yn dweud faint o leoedd sydd heddiw a faint fyddai.',
      ),
    },
    {
      question: toTranslated(
        'Can fire trucks, buses and deliveries still get through?',
        'Les pompiers, les autobus et les livraisons passeront-ils toujours?',
        'A fydd injans tân, bysiau a danfoniadau’n dal i allu mynd drwodd?',
      ),
      answer: toTranslated(
        'Yes. Every design is checked with the emergency services and the bus company before we show it to you.',
        'Oui. Chaque aménagement est vérifié avec les services d’urgence et le transporteur avant de vous être présenté.',
        'Byddant. Caiff pob dyluniad ei wirio gyda’r gwasanaethau brys a’r cwmni bysiau cyn i ni ei ddangos i chi.',
      ),
    },
    {
      question: toTranslated('Who reads what I write?', 'Qui lit ce que j’écris?', 'Pwy sy’n darllen yr hyn rwy’n ei ysgrifennu?'),
      answer: toTranslated(
        'The team of this project. What we publish about the survey is numbers and short passages without names. Ideas are public, under the name that you choose.',
        'L’équipe de ce projet. Ce que nous publions du sondage, ce sont des chiffres et de courts passages sans nom. Les idées sont publiques, sous le nom que vous choisissez.',
        'Tîm y prosiect hwn. Yr hyn a gyhoeddwn am yr arolwg yw ffigurau a darnau byr heb enwau. Mae syniadau’n gyhoeddus, o dan yr enw a ddewiswch.',
      ),
    },
  ],
}
