import { service as serviceSurvey } from '#app/features/surveys/templates/service.ts'
import { toTranslated } from '#app/features/surveys/templates/template-parts.ts'
import { createCategories, type ProjectTemplate } from './template-parts.ts'

export const service: ProjectTemplate = {
  id: 'service',
  title: toTranslated('A service that works for you', 'Un service qui vous convient', 'Gwasanaeth sy’n gweithio i chi'),
  text: toTranslated(
    'A library, a bus line, waste collection or another service that is to be changed.',
    'Une bibliothèque, une ligne d’autobus, la collecte des déchets ou un autre service qui doit changer.',
    'Llyfrgell, llwybr bws, casglu gwastraff neu wasanaeth arall sydd i gael ei newid.',
  ),
  summary: toTranslated(
    'We are looking at how this service should work in future. Tell us what it is like to use today, what would make it better, and what must not be lost.',
    'Nous réfléchissons à l’avenir de ce service. Dites-nous comment il fonctionne pour vous aujourd’hui, ce qui l’améliorerait et ce qu’il ne faut pas perdre.',
    'Rydym yn ystyried sut y dylai’r gwasanaeth hwn weithio yn y dyfodol. Dywedwch sut brofiad yw ei ddefnyddio heddiw, beth fyddai’n ei wella, a beth na ddylid ei golli.',
  ),
  body: toTranslated(
    `## Why we ask

More people use this service than ten years ago, and they use it in other ways. Before we change its hours, places or what it offers, we want to hear from people who use it, and from those who do not.

## What could change

- when and where it is open
- what can be done online, by phone and in person
- what it costs, and who pays for it
- how we tell you about it

## What stays

The service will not be closed. It goes on serving everyone, including people who need help to use it.

## How to take part

Answer the survey, or tell us about a day when the service worked well for you, or when it did not. On paper or by phone is fine too: use the contact details on this page.

## What happens with what you say

We publish what we heard within six weeks, with the changes that we propose. What can be mended soon, we mend soon, and say so here.`,
    `## Pourquoi nous demandons votre avis

Plus de gens utilisent ce service qu’il y a dix ans, et autrement. Avant d’en changer les heures, les lieux ou l’offre, nous voulons entendre les gens qui l’utilisent, et ceux qui ne l’utilisent pas.

## Ce qui pourrait changer

- quand et où il est ouvert
- ce qui peut se faire en ligne, par téléphone et en personne
- ce qu’il coûte, et à qui
- comment nous vous en parlons

## Ce qui reste

Le service ne fermera pas. Il reste ouvert à tout le monde, y compris aux personnes qui ont besoin d’aide pour l’utiliser.

## Comment participer

Répondez au sondage, ou racontez-nous un jour où le service vous a bien servi, ou mal servi. Sur papier ou par téléphone, c’est aussi possible : écrivez ou appelez aux coordonnées qui figurent sur cette page.

## Ce que nous faisons de vos réponses

Nous publions d’ici six semaines ce que nous avons entendu, avec les changements que nous proposons. Ce qui peut être corrigé rapidement, nous le corrigeons, et nous le disons ici.`,
    `## Pam rydym yn gofyn

Mae mwy o bobl yn defnyddio’r gwasanaeth hwn na deng mlynedd yn ôl, ac maent yn ei ddefnyddio mewn ffyrdd eraill. Cyn i ni newid ei oriau, ei leoliadau neu’r hyn y mae’n ei gynnig, rydym am glywed gan bobl sy’n ei ddefnyddio, a chan y rhai nad ydynt.

## Beth allai newid

- pryd a ble y mae ar agor
- beth y gellir ei wneud ar-lein, dros y ffôn ac wyneb yn wyneb
- beth mae’n ei gostio, ac i bwy
- sut rydym yn dweud wrthych amdano

## Beth sy’n aros

Ni fydd y gwasanaeth yn cau. Bydd yn dal i wasanaethu pawb, gan gynnwys pobl y mae angen help arnynt i’w ddefnyddio.

## Sut i gymryd rhan

Atebwch yr arolwg, neu soniwch wrthym am ddiwrnod pan weithiodd y gwasanaeth yn dda i chi, neu pan na wnaeth. Mae ar bapur neu dros y ffôn yn iawn hefyd: defnyddiwch y manylion cyswllt ar y dudalen hon.

## Beth sy’n digwydd i’r hyn a ddywedwch

Byddwn yn cyhoeddi’r hyn a glywsom o fewn chwe wythnos, gyda’r newidiadau rydym yn eu cynnig. Yr hyn y gellir ei wella’n fuan, byddwn yn ei wella’n fuan, ac yn dweud hynny yma.`,
  ),
  stages: [
    {
      id: 'listen',
      kind: 'listen',
      title: toTranslated('Tell us how it works for you', 'Dites-nous comment il fonctionne', 'Dywedwch sut mae’n gweithio i chi'),
      summary: toTranslated(
        'Answer the survey, or share an experience.',
        'Répondez au sondage, ou racontez une expérience.',
        'Atebwch yr arolwg, neu rhannwch brofiad.',
      ),
      weeks: [0, 5],
    },
    {
      id: 'propose',
      kind: 'inform',
      title: toTranslated(
        'What we heard and what we propose',
        'Ce que nous avons entendu et proposons',
        'Yr hyn a glywsom a’r hyn a gynigiwn',
      ),
      summary: toTranslated(
        'A report on your answers, and the changes that follow from it.',
        'Un rapport sur vos réponses, et les changements qui en découlent.',
        'Adroddiad ar eich atebion, a’r newidiadau sy’n dilyn ohono.',
      ),
      weeks: [5, 11],
    },
    {
      id: 'decide',
      kind: 'decide',
      title: toTranslated('The council decides', 'Le conseil décide', 'Mae’r cyngor yn penderfynu'),
      summary: toTranslated(
        'In a public meeting, with the report on your answers.',
        'En séance publique, avec le rapport sur vos réponses.',
        'Mewn cyfarfod cyhoeddus, gyda’r adroddiad ar eich atebion.',
      ),
      weeks: [11, 13],
    },
    {
      id: 'change',
      kind: 'do',
      title: toTranslated('The service changes', 'Le service change', 'Mae’r gwasanaeth yn newid'),
      summary: toTranslated(
        'We say here what changes when, and ask you again after half a year.',
        'Nous indiquons ici ce qui change et quand, et vous interrogeons de nouveau après six mois.',
        'Byddwn yn dweud yma beth sy’n newid a phryd, ac yn gofyn i chi eto ar ôl hanner blwyddyn.',
      ),
      weeks: [13, 39],
    },
  ],
  activities: [
    {
      kind: 'stories',
      stage: 'listen',
      title: toTranslated('Your experiences', 'Vos expériences', 'Eich profiadau'),
      intro: toTranslated(
        'Tell us about one day when the service worked well for you, or when it did not. Please leave out names of other people and of staff.',
        'Racontez-nous un jour où le service vous a bien servi, ou mal servi. Ne mentionnez pas le nom d’autres personnes ni celui des membres du personnel.',
        'Soniwch wrthym am un diwrnod pan weithiodd y gwasanaeth yn dda i chi, neu pan na wnaeth. Peidiwch â chynnwys enwau pobl eraill na staff.',
      ),
      categories: createCategories(
        ['well', 'It worked well', 'Cela a bien fonctionné', 'Gweithiodd yn dda'],
        ['access', 'Getting to it', 'S’y rendre et y accéder', 'Ei gyrraedd'],
        ['waiting', 'Hours and waiting', 'Heures et attente', 'Oriau ac aros'],
        ['help', 'Getting help', 'Obtenir de l’aide', 'Cael help'],
      ),
    },
  ],
  surveys: [serviceSurvey],
  rounds: [],
  faqs: [
    {
      question: toTranslated('Is this about saving money?', 'S’agit-il de faire des économies?', 'Ai arbed arian yw’r diben?'),
      answer: toTranslated(
        'We look at cost too, and we say openly what each change would cost or save. The aim is a service that more people can use.',
        'Nous examinons aussi les coûts, et nous disons ouvertement ce que chaque changement coûterait ou ferait économiser. Le but est un service que plus de gens peuvent utiliser.',
        'Rydym yn edrych ar gost hefyd, ac yn dweud yn agored beth fyddai pob newid yn ei gostio neu’n ei arbed. Y nod yw gwasanaeth y gall mwy o bobl ei ddefnyddio.',
      ),
    },
    {
      question: toTranslated(
        'I do not use the service. Should I answer?',
        'Je n’utilise pas le service. Dois-je répondre?',
        'Nid wyf yn defnyddio’r gwasanaeth. A ddylwn ateb?',
      ),
      answer: toTranslated(
        'Yes, please. The survey asks what keeps you from it, and that is what we know least about.',
        'Oui. Le sondage demande ce qui vous en empêche, et c’est ce que nous connaissons le moins.',
        'Dylech, os gwelwch yn dda. Mae’r arolwg yn gofyn beth sy’n eich atal, a dyna’r hyn y gwyddom leiaf amdano.',
      ),
    },
    {
      question: toTranslated(
        'I have a complaint. Is this the place?',
        'J’ai une plainte. Est-ce le bon endroit?',
        'Mae gennyf gŵyn. Ai dyma’r lle?',
      ),
      answer: toTranslated(
        'Tell us what happened, because it helps us. If you need an answer about your own case, use our complaints form or call us, as we cannot reply to single answers here.',
        'Dites-nous ce qui s’est passé, car cela nous aide. Si vous voulez une réponse sur votre propre dossier, utilisez notre formulaire de plainte ou appelez-nous : nous ne pouvons pas répondre ici à chaque personne.',
        'Dywedwch wrthym beth ddigwyddodd, oherwydd mae’n ein helpu. Os oes angen ateb arnoch am eich achos eich hun, defnyddiwch ein ffurflen gwynion neu ffoniwch ni, gan na allwn ymateb i atebion unigol yma.',
      ),
    },
    {
      question: toTranslated('When will something change?', 'Quand y aura-t-il des changements?', 'Pryd fydd rhywbeth yn newid?'),
      answer: toTranslated(
        'Small things within weeks. Changes to hours, places or prices are decided by the council first.',
        'Les petites choses d’ici quelques semaines. Le conseil décide d’abord des changements d’heures, de lieux ou de prix.',
        'Pethau bach o fewn wythnosau. Y cyngor sy’n penderfynu’n gyntaf ar newidiadau i oriau, lleoliadau neu brisiau.',
      ),
    },
  ],
}
