import { plan as planSurvey } from '#app/features/surveys/templates/plan.ts'
import { toTranslated } from '#app/features/surveys/templates/template-parts.ts'
import { createCategories, type ProjectTemplate } from './template-parts.ts'

export const plan: ProjectTemplate = {
  id: 'plan',
  title: toTranslated('A plan for the area', 'Un plan pour le secteur', 'Cynllun ar gyfer yr ardal'),
  text: toTranslated(
    'A draft plan, strategy or bylaw that people comment on before it is adopted.',
    'Un projet de plan, de stratégie ou de règlement que les gens commentent avant son adoption.',
    'Cynllun, strategaeth neu is-ddeddf ddrafft y mae pobl yn rhoi sylwadau arni cyn iddi gael ei mabwysiadu.',
  ),
  summary: toTranslated(
    'We are writing a plan for how this place should change over the next ten years. Read the draft, ask us about it, and tell us what you think before the council adopts it.',
    'Nous préparons un plan qui indique comment ce secteur devrait changer au cours des dix prochaines années. Lisez le projet, posez-nous vos questions et dites-nous ce que vous en pensez avant que le conseil l’adopte.',
    'Rydym yn ysgrifennu cynllun ar gyfer sut y dylai’r lle hwn newid dros y deng mlynedd nesaf. Darllenwch y drafft, holwch ni amdano, a dywedwch eich barn cyn i’r cyngor ei fabwysiadu.',
  ),
  body: toTranslated(
    `## What the plan does

The plan says where homes, shops, parks and workplaces should go, and what new buildings must respect. Later decisions, such as building permits, are measured against it.

## What is open, and what is not

You can change the goals, their order, and what the plan says about each place. Some things are set by law or were decided before, such as flood zones and protected buildings. The draft marks them.

## How to take part

- Read the summary, or the whole draft, among the documents of this project.
- Ask a question. We answer in public, so that everyone can read the answer.
- Answer the survey, even if you have only read the summary.

## What happens with what you say

We publish a table of all that was said about the draft, with our answer to each point: what we changed, or why we did not. The council gets it together with the final plan.`,
    `## À quoi sert le plan

Le plan indique où devraient se trouver les logements, les commerces, les parcs et les lieux de travail, et ce que les nouveaux bâtiments doivent respecter. Les décisions suivantes, comme les permis de construire, s’y mesurent.

## Ce qui est ouvert, et ce qui ne l’est pas

Vous pouvez changer les objectifs, leur ordre et ce que le plan dit de chaque lieu. Certaines choses sont fixées par la loi ou déjà décidées, comme les zones inondables et les bâtiments protégés. Le projet les signale.

## Comment participer

- Lisez le résumé, ou le projet en entier, parmi les documents de ce projet.
- Posez une question. Nous répondons en public, pour que tout le monde puisse lire la réponse.
- Répondez au sondage, même si vous n’avez lu que le résumé.

## Ce que nous faisons de vos réponses

Nous publions un tableau de tout ce qui a été dit du projet, avec notre réponse à chaque point : ce que nous avons changé, ou pourquoi nous ne l’avons pas fait. Le conseil le reçoit avec le plan définitif.`,
    `## Beth mae’r cynllun yn ei wneud

Mae’r cynllun yn dweud ble y dylai cartrefi, siopau, parciau a gweithleoedd fod, a beth y mae’n rhaid i adeiladau newydd ei barchu. Caiff penderfyniadau diweddarach, fel penderfyniadau cynllunio, eu mesur yn ei erbyn.

## Beth sy’n agored, a beth sydd ddim

Gallwch newid y nodau, eu trefn, a’r hyn y mae’r cynllun yn ei ddweud am bob lle. Mae rhai pethau wedi’u gosod gan y gyfraith neu wedi’u penderfynu o’r blaen, fel parthau llifogydd ac adeiladau gwarchodedig. Mae’r drafft yn eu nodi.

## Sut i gymryd rhan

- Darllenwch y crynodeb, neu’r drafft cyfan, ymhlith dogfennau’r prosiect hwn.
- Gofynnwch gwestiwn. Rydym yn ateb yn gyhoeddus, fel y gall pawb ddarllen yr ateb.
- Atebwch yr arolwg, hyd yn oed os mai dim ond y crynodeb rydych chi wedi’i ddarllen.

## Beth sy’n digwydd i’r hyn a ddywedwch

Rydym yn cyhoeddi tabl o bopeth a ddywedwyd am y drafft, gyda’n hateb i bob pwynt: beth a newidiwyd, neu pam na wnaethom. Bydd y cyngor yn ei gael ynghyd â’r cynllun terfynol.`,
  ),
  stages: [
    {
      id: 'draft',
      kind: 'inform',
      title: toTranslated('Read the draft', 'Lisez le projet', 'Darllenwch y drafft'),
      summary: toTranslated(
        'The draft and its summary are here, and you can ask us about them.',
        'Le projet et son résumé sont ici, et vous pouvez nous poser vos questions.',
        'Mae’r drafft a’i grynodeb yma, a gallwch ein holi amdanynt.',
      ),
      weeks: [0, 2],
    },
    {
      id: 'listen',
      kind: 'listen',
      title: toTranslated('Tell us what you think', 'Dites-nous ce que vous en pensez', 'Dywedwch eich barn'),
      summary: toTranslated(
        'Answer the survey and go on asking questions.',
        'Répondez au sondage et continuez à poser vos questions.',
        'Atebwch yr arolwg a daliwch ati i ofyn cwestiynau.',
      ),
      weeks: [2, 8],
    },
    {
      id: 'revise',
      kind: 'inform',
      title: toTranslated('We change the draft', 'Nous modifions le projet', 'Rydym yn newid y drafft'),
      summary: toTranslated(
        'We publish what was said and what we answer, point by point.',
        'Nous publions ce qui a été dit et ce que nous répondons, point par point.',
        'Byddwn yn cyhoeddi’r hyn a ddywedwyd a’n hateb, fesul pwynt.',
      ),
      weeks: [8, 14],
    },
    {
      id: 'decide',
      kind: 'decide',
      title: toTranslated('The council adopts the plan', 'Le conseil adopte le plan', 'Mae’r cyngor yn mabwysiadu’r cynllun'),
      summary: toTranslated(
        'The meeting is public, and its date is posted here.',
        'La séance est publique, et sa date est publiée ici.',
        'Mae’r cyfarfod yn gyhoeddus, a chaiff ei ddyddiad ei gyhoeddi yma.',
      ),
      weeks: [14, 18],
    },
  ],
  activities: [
    {
      kind: 'questions',
      stage: 'draft',
      title: toTranslated('Ask about the draft', 'Posez vos questions sur le projet', 'Holwch am y drafft'),
      intro: toTranslated(
        'Is something unclear, or would you like to know what the plan means for your street? Ask here. If someone has asked the same, support their question.',
        'Quelque chose n’est pas clair, ou vous aimeriez savoir ce que le plan signifie pour votre rue? Posez la question ici. Si quelqu’un a déjà demandé la même chose, appuyez sa question.',
        'A oes rhywbeth yn aneglur, neu a hoffech wybod beth mae’r cynllun yn ei olygu i’ch stryd? Gofynnwch yma. Os yw rhywun wedi gofyn yr un peth, cefnogwch ei gwestiwn.',
      ),
      categories: createCategories(
        ['homes', 'Homes', 'Logement', 'Cartrefi'],
        ['shops', 'Shops and work', 'Commerces et emploi', 'Siopau a gwaith'],
        ['green', 'Parks and nature', 'Parcs et nature', 'Parciau a natur'],
        ['travel', 'Getting around', 'Déplacements', 'Symud o gwmpas'],
        ['process', 'How the plan is made', 'La préparation du plan', 'Sut mae’r cynllun yn cael ei wneud'],
      ),
    },
  ],
  surveys: [planSurvey],
  rounds: [],
  faqs: [
    {
      question: toTranslated(
        'Do I have to read the whole plan to take part?',
        'Faut-il lire tout le plan pour participer?',
        'Oes rhaid i mi ddarllen y cynllun cyfan i gymryd rhan?',
      ),
      answer: toTranslated(
        'No. The summary is enough for the survey, and you can skip every question.',
        'Non. Le résumé suffit pour le sondage, et vous pouvez passer toute question.',
        'Nac oes. Mae’r crynodeb yn ddigon ar gyfer yr arolwg, a gallwch hepgor pob cwestiwn.',
      ),
    },
    {
      question: toTranslated(
        'What does the plan mean for my property?',
        'Que signifie le plan pour ma propriété?',
        'Beth mae’r cynllun yn ei olygu i’m heiddo?',
      ),
      answer: toTranslated(
        'The plan does not make anyone build or sell. It says what would be allowed if an owner wants to. Ask us about your address, and we will show you what the draft says.',
        'Le plan n’oblige personne à construire ni à vendre. Il dit ce qui serait permis si un propriétaire le souhaite. Demandez-nous ce qu’il en est à votre adresse, et nous vous montrerons ce que dit le projet.',
        'Nid yw’r cynllun yn gorfodi neb i adeiladu na gwerthu. Mae’n dweud beth fyddai’n cael ei ganiatáu pe bai perchennog yn dymuno. Holwch ni am eich cyfeiriad, a byddwn yn dangos i chi beth mae’r drafft yn ei ddweud.',
      ),
    },
    {
      question: toTranslated(
        'Can I answer for an organisation?',
        'Puis-je répondre au nom d’un organisme?',
        'A gaf i ateb ar ran sefydliad?',
      ),
      answer: toTranslated(
        'Yes. Send us a letter or an email as well, so that we can publish it under the organisation’s name.',
        'Oui. Envoyez-nous aussi une lettre ou un courriel, pour que nous puissions publier votre avis au nom de l’organisme.',
        'Cewch. Anfonwch lythyr neu e-bost atom hefyd, fel y gallwn ei gyhoeddi o dan enw’r sefydliad.',
      ),
    },
    {
      question: toTranslated('When does the plan take effect?', 'Quand le plan entre-t-il en vigueur?', 'Pryd mae’r cynllun yn dod i rym?'),
      answer: toTranslated(
        'When the council has adopted it. Until then, the plan that is in force today applies.',
        'Lorsque le conseil l’aura adopté. D’ici là, le plan actuellement en vigueur s’applique.',
        'Pan fydd y cyngor wedi’i fabwysiadu. Tan hynny, y cynllun sydd mewn grym heddiw sy’n berthnasol.',
      ),
    },
  ],
}
