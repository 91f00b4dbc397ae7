import { budget as budgetSurvey } from '#app/features/surveys/templates/budget.ts'
import { toTranslated } from '#app/features/surveys/templates/template-parts.ts'
import { createCategories, type ProjectTemplate } from './template-parts.ts'

export const budget: ProjectTemplate = {
  id: 'budget',
  title: toTranslated('Your budget', 'Votre budget', 'Eich cyllideb'),
  text: toTranslated(
    'Residents say what matters in the budget, propose projects, and vote on a part of the money.',
    'La population dit ce qui compte dans le budget, propose des projets et vote sur une partie de l’argent.',
    'Mae trigolion yn dweud beth sy’n bwysig yn y gyllideb, yn cynnig prosiectau, ac yn pleidleisio ar ran o’r arian.',
  ),
  summary: toTranslated(
    'Each year the council decides how to spend public money. This year you decide on a part of it: propose a project, and vote on which ones are built. Tell us too what matters to you in the whole budget.',
    'Chaque année, le conseil décide de l’emploi de l’argent public. Cette année, vous décidez d’une partie : proposez un projet et votez pour ceux qui seront réalisés. Dites-nous aussi ce qui compte pour vous dans l’ensemble du budget.',
    'Bob blwyddyn, y cyngor sy’n penderfynu sut i wario arian cyhoeddus. Eleni, chi sy’n penderfynu ar ran ohono: cynigiwch brosiect, a phleidleisiwch dros y rhai a gaiff eu hadeiladu. Dywedwch hefyd beth sy’n bwysig i chi yn y gyllideb gyfan.',
  ),
  body: toTranslated(
    `## What you decide on

A part of the budget is set aside for projects that residents propose and choose. A project can be almost anything that the council may build, plant, buy or repair, and that serves more than one household.

## How it works

1. You propose. Anyone who lives here can post a project.
2. We check. We say of each proposal whether it is possible and what it would cost. If it is not possible, we say why.
3. You vote on the list of projects with their costs.
4. We build, and report here on each project until it is done.

## The whole budget

Most of the budget pays for services that run every day. The survey asks which of them matter most to you. The council gets the result before it decides.

## What happens with what you say

Projects that win the vote are built. What you say in the survey is advice: we publish it, and the council says what it made of it.`,
    `## Ce dont vous décidez

Une partie du budget est réservée à des projets que la population propose et choisit. Un projet peut être presque tout ce que la municipalité peut construire, planter, acheter ou réparer, et qui sert à plus d’un ménage.

## Comment cela fonctionne

1. Vous proposez. Toute personne qui habite ici peut proposer un projet.
2. Nous vérifions. Nous disons de chaque proposition si elle est réalisable et combien elle coûterait. Si elle ne l’est pas, nous disons pourquoi.
3. Vous votez sur la liste des projets et leurs coûts.
4. Nous réalisons, et rendons compte ici de chaque projet jusqu’à son achèvement.

## L’ensemble du budget

La plus grande partie du budget paie les services de tous les jours. Le sondage demande lesquels comptent le plus pour vous. Le conseil reçoit le résultat avant de décider.

## Ce que nous faisons de vos réponses

Les projets qui remportent le vote sont réalisés. Ce que vous dites dans le sondage est un avis : nous le publions, et le conseil dit ce qu’il en a fait.`,
    `## Yr hyn rydych chi’n penderfynu arno

Mae rhan o’r gyllideb wedi’i neilltuo ar gyfer prosiectau y mae trigolion yn eu cynnig a’u dewis. Gall prosiect fod yn bron unrhyw beth y gall y cyngor ei adeiladu, ei blannu, ei brynu neu ei drwsio, ac sy’n gwasanaethu mwy nag un aelwyd.

## Sut mae’n gweithio

1. Chi sy’n cynnig. Gall unrhyw un sy’n byw yma gynnig prosiect.
2. Ni sy’n gwirio. Byddwn yn dweud am bob cynnig a yw’n bosibl a faint fyddai’n ei gostio. Os nad yw’n bosibl, byddwn yn dweud pam.
3. Chi sy’n pleidleisio ar y rhestr o brosiectau a’u costau.
4. Ni sy’n adeiladu, ac yn adrodd yma ar bob prosiect nes y bydd wedi’i orffen.

## Y gyllideb gyfan

Mae’r rhan fwyaf o’r gyllideb yn talu am wasanaethau sy’n rhedeg bob dydd. Mae’r arolwg yn gofyn pa rai sydd bwysicaf i chi. Bydd y cyngor yn cael y canlyniad cyn penderfynu.

## Beth sy’n digwydd i’r hyn a ddywedwch

Caiff prosiectau sy’n ennill y bleidlais eu hadeiladu. Cyngor yw’r hyn a ddywedwch yn yr arolwg: byddwn yn ei gyhoeddi, a bydd y cyngor yn dweud beth a wnaeth ag ef.`,
  ),
  stages: [
    {
      id: 'propose',
      kind: 'listen',
      title: toTranslated('Propose projects', 'Proposez des projets', 'Cynigiwch brosiectau'),
      summary: toTranslated(
        'Post a project, support those of others, and answer the survey.',
        'Proposez un projet, appuyez ceux des autres et répondez au sondage.',
        'Cynigiwch brosiect, cefnogwch rai pobl eraill, ac atebwch yr arolwg.',
      ),
      weeks: [0, 6],
    },
    {
      id: 'check',
      kind: 'inform',
      title: toTranslated('We check and cost them', 'Nous les vérifions et les chiffrons', 'Rydym yn eu gwirio ac yn pennu eu cost'),
      summary: toTranslated(
        'Each proposal gets an answer: possible or not, and at what cost.',
        'Chaque proposition reçoit une réponse : réalisable ou non, et à quel coût.',
        'Caiff pob cynnig ateb: posibl ai peidio, ac am ba gost.',
      ),
      weeks: [6, 14],
    },
    {
      id: 'vote',
      kind: 'decide',
      title: toTranslated('Vote', 'Votez', 'Pleidleisiwch'),
      summary: toTranslated(
        'Choose the projects that you want, within the money that there is.',
        'Choisissez les projets que vous voulez, dans les limites de l’argent disponible.',
        'Dewiswch y prosiectau rydych chi eu heisiau, o fewn yr arian sydd ar gael.',
      ),
      weeks: [14, 17],
    },
    {
      id: 'build',
      kind: 'do',
      title: toTranslated('The projects are built', 'Les projets sont réalisés', 'Caiff y prosiectau eu hadeiladu'),
      summary: toTranslated(
        'We report here on each of them until it is done.',
        'Nous rendons compte ici de chacun jusqu’à son achèvement.',
        'Byddwn yn adrodd yma ar bob un nes y bydd wedi’i orffen.',
      ),
      weeks: [17, 69],
    },
  ],
  activities: [
    {
      kind: 'ideas',
      stage: 'propose',
      title: toTranslated('Project proposals', 'Propositions de projets', 'Cynigion prosiect'),
      intro: toTranslated(
        'What should be built, planted, bought or repaired? Say what it is, where, and who it would help. You do not need to know what it costs: we work that out.',
        'Que faudrait-il construire, planter, acheter ou réparer? Dites de quoi il s’agit, où, et à qui cela servirait. Vous n’avez pas à en connaître le coût : nous le calculons.',
        'Beth ddylai gael ei adeiladu, ei blannu, ei brynu neu ei drwsio? Dywedwch beth ydyw, ble, a phwy fyddai’n elwa. Nid oes angen i chi wybod beth mae’n ei gostio: byddwn ni’n cyfrifo hynny.',
      ),
      categories: createCategories(
        ['parks', 'Parks and play', 'Parcs et jeux', 'Parciau a chwarae'],
        ['streets', 'Streets and paths', 'Rues et sentiers', 'Strydoedd a llwybrau'],
        ['culture', 'Culture and meeting places', 'Culture et lieux de rencontre', 'Diwylliant a mannau cyfarfod'],
        ['climate', 'Climate and nature', 'Climat et nature', 'Hinsawdd a natur'],
        ['youth', 'Children and young people', 'Enfants et jeunes', 'Plant a phobl ifanc'],
      ),
    },
  ],
  surveys: [budgetSurvey],
  rounds: [
    {
      title: toTranslated('Vote on the projects', 'Votez pour les projets', 'Pleidleisiwch ar y prosiectau'),
      intro: toTranslated(
        'Choose the projects that you would like to see built. Together they may cost no more than the money set aside.',
        'Choisissez les projets que vous aimeriez voir réalisés. Ensemble, ils ne peuvent coûter plus que la somme réservée.',
        'Dewiswch y prosiectau yr hoffech eu gweld yn cael eu hadeiladu. Gyda’i gilydd, ni chânt gostio mwy na’r arian a neilltuwyd.',
      ),
      pots: [{ title: toTranslated('Money for projects', 'Somme pour les projets', 'Arian ar gyfer prosiectau'), amount: 10_000_000 }],
    },
  ],
  faqs: [
    {
      question: toTranslated('Who can propose and vote?', 'Qui peut proposer et voter?', 'Pwy all gynnig a phleidleisio?'),
      answer: toTranslated(
        'Everyone who lives here. Before you vote, we check that you do, so that each person votes once. Your vote is stored without your name.',
        'Toute personne qui habite ici. Avant le vote, nous le vérifions, pour que chaque personne vote une seule fois. Votre vote est conservé sans votre nom.',
        'Pawb sy’n byw yma. Cyn i chi bleidleisio, byddwn yn gwirio eich bod, fel bod pob person yn pleidleisio unwaith. Caiff eich pleidlais ei chadw heb eich enw.',
      ),
    },
    {
      question: toTranslated(
        'What kinds of projects are not possible?',
        'Quels projets ne sont pas possibles?',
        'Pa fathau o brosiectau nad ydynt yn bosibl?',
      ),
      answer: toTranslated(
        'Projects on private land without the owner’s agreement, projects that serve one household or business only, and anything that another level of government decides on.',
        'Les projets sur un terrain privé sans l’accord du propriétaire, ceux qui ne servent qu’un ménage ou une entreprise, et tout ce qui relève d’un autre ordre de gouvernement.',
        'Prosiectau ar dir preifat heb gytundeb y perchennog, prosiectau sy’n gwasanaethu un aelwyd neu fusnes yn unig, ac unrhyw beth y mae lefel arall o lywodraeth yn penderfynu arno.',
      ),
    },
    {
      question: toTranslated(
        'How are the votes counted?',
        'Comment les votes sont-ils comptés?',
        'Sut mae’r pleidleisiau’n cael eu cyfrif?',
      ),
      answer: toTranslated(
        'The page of the vote explains the rule, and everything needed to count again is published with the result.',
        'La page du vote explique la règle, et tout ce qu’il faut pour recompter est publié avec le résultat.',
        'Mae tudalen y bleidlais yn esbonio’r rheol, a chaiff popeth sydd ei angen i gyfrif eto ei gyhoeddi gyda’r canlyniad.',
      ),
    },
    {
      question: toTranslated(
        'What becomes of projects that do not win?',
        'Que deviennent les projets non retenus?',
        'Beth sy’n digwydd i brosiectau nad ydynt yn ennill?',
      ),
      answer: toTranslated(
        'They stay on this page, and can be proposed again next year. Some may fit into another programme: if so, we will say so.',
        'Ils restent sur cette page et peuvent être proposés de nouveau l’an prochain. Certains conviennent peut-être à un autre programme : dans ce cas, nous le dirons.',
        'Maent yn aros ar y dudalen hon, a gellir eu cynnig eto y flwyddyn nesaf. Gall rhai ffitio rhaglen arall: os felly, byddwn yn dweud hynny.',
      ),
    },
  ],
}
