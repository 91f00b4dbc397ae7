import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Delivery, Outcome, Stance } from '#app/lib/vocabulary/heard.ts'
import { cyEn, enFr } from './texts.ts'

export interface DemoTheme {
  name: string
  title: Translated
  stance: Stance
  /** Sentences of written answers that say it; the first of each language may be quoted. */
  said: Partial<Record<Language, string[]>>
}

export interface DemoDecision {
  title: Translated
  themes: string[]
  outcome: Outcome
  text?: Translated
  reason: Translated
  body: Translated
  delivery: Delivery
  note?: Translated
  /** In days from today, as everywhere in the demo. */
  due?: number
  /** A promised day that was changed. */
  delay?: { before: number; reason: Translated }
}

/** The published report of such a project. */
export interface DemoHeardReport {
  /** How many days after the decisions. */
  after: number
  summary: Translated
  /** Questions of the survey, each with what its figure says. */
  figures: { question: string; words: Translated }[]
  /** Names of themes that are shown with their quotes. */
  themes: string[]
  steps: { day: number; title: Translated }[]
}

/** A closed project whose written answers were read, coded and decided on. */
export interface DemoHeard {
  project: string
  survey: string
  question: string
  decided: number
  themes: DemoTheme[]
  decisions: DemoDecision[]
  report: DemoHeardReport
  /** Receipt code of an answer that is counted for a theme. */
  receipt: string
  /** Where that answer is found: what it says. */
  receiptSays: string
}

export const RIVERBEND_HEARD: DemoHeard = {
  project: 'harbour-noise',
  survey: 'your-nights',
  question: 'q_night',
  decided: -19,
  receipt: 'H4RB-0VRN-01SE-2026',
  report: {
    after: 2,
    summary: enFr(
      '## In short\n\nPeople who live beside the harbour told us what wakes them. Single loud events do, far more than the steady hum: horns, alarms and metal that is dropped.\n\n- Most of them want a limit at night.\n- Many also want the harbour to stay as it is by day.',
      '## En bref\n\nLes gens qui vivent près du port nous ont dit ce qui les réveille. Ce sont les bruits isolés et forts, bien plus que le ronronnement : sirènes, alarmes et métal qu’on lâche.\n\n- La plupart veulent une limite la nuit.\n- Beaucoup veulent aussi que le port reste tel quel le jour.',
    ),
    figures: [
      {
        question: 'q_wake',
        words: enFr('Most people are woken at least once a week.', 'La plupart des gens sont réveillés au moins une fois par semaine.'),
      },
    ],
    themes: ['horns', 'alarms', 'same'],
    steps: [
      { day: -60, title: enFr('The survey closed', 'Clôture du sondage') },
      { day: -20, title: enFr('Council decided', 'Décision du conseil') },
      { day: 110, title: enFr('All vehicles refitted', 'Tous les véhicules rééquipés') },
    ],
  },
  receiptSays: 'It is the beeping, hour after hour.',
  themes: [
    {
      name: 'horns',
      title: enFr('Horns at night', 'Les sirènes la nuit'),
      stance: 'concern',
      said: {
        en: ['Three horns at 3:12. The baby woke and so did the whole stairwell.'],
        'fr-CA': ['Trois coups de sirène à 3 h 12. Le bébé s’est réveillé, et toute la cage d’escalier.'],
      },
    },
    {
      name: 'alarms',
      title: enFr('Reversing alarms', 'Les alarmes de recul'),
      stance: 'concern',
      said: { en: ['It is the beeping, hour after hour.'], 'fr-CA': ['Ce sont les bips, heure après heure.'] },
    },
    {
      name: 'bangs',
      title: enFr('Sudden bangs of metal', 'Les chocs soudains du métal'),
      stance: 'concern',
      said: {
        en: ['A bang like a car crash.', 'We could lower the hatches slowly if anyone asked us.'],
        'fr-CA': ['Un fracas comme une collision.', 'On pourrait abaisser les panneaux doucement, il suffit de le demander.'],
      },
    },
    {
      name: 'windows',
      title: enFr('Windows shut in summer', 'Les fenêtres fermées l’été'),
      stance: 'concern',
      said: { en: ['I keep the windows shut in July.'], 'fr-CA': ['Je garde les fenêtres fermées en juillet.'] },
    },
    {
      name: 'same',
      title: enFr('Leave the harbour alone', 'Laisser le port tranquille'),
      stance: 'against',
      said: { en: ['Two hundred and forty families eat from that noise.', 'I grew up with it and miss it when I travel.'] },
    },
    {
      name: 'fog',
      title: enFr('Keep fog horns', 'Garder les cornes de brume'),
      stance: 'for',
      said: { en: ['Fog horns are fine. Those we need.'] },
    },
  ],
  decisions: [
    {
      title: enFr('Hatches are lowered, not dropped', 'On abaisse les panneaux de cale, on ne les lâche plus'),
      themes: ['bangs'],
      outcome: 'taken_up',
      reason: enFr(
        'Crews told us that it can be done. The loading company has fitted dampers to all fourteen hatches.',
        'Les équipages nous ont dit que c’était possible. L’entreprise a posé des amortisseurs aux quatorze panneaux.',
      ),
      body: enFr('City council', 'Conseil municipal'),
      delivery: 'done',
      note: enFr('All fourteen hatches have dampers.', 'Les quatorze panneaux ont des amortisseurs.'),
    },
    {
      title: enFr('A hiss instead of the beeping', 'Un souffle à la place des bips'),
      themes: ['alarms'],
      outcome: 'taken_up',
      reason: enFr(
        'A hissing sound warns as well and stops at the fence. The safety inspectorate agreed.',
        'Un souffle avertit tout aussi bien et ne porte pas au-delà de la clôture. L’inspection du travail est d’accord.',
      ),
      body: enFr('City council', 'Conseil municipal'),
      delivery: 'under_way',
      note: enFr('Nine of the 22 vehicles are refitted.', 'Neuf des 22 véhicules sont rééquipés.'),
      due: 110,
      delay: {
        before: -5,
        reason: enFr(
          'The supplier sent the wrong sirens in the first delivery.',
          'Le fournisseur s’est trompé d’avertisseurs à la première livraison.',
        ),
      },
    },
    {
      title: enFr('No horns between eleven and six', 'Pas de sirènes entre 23 h et 6 h'),
      themes: ['horns', 'fog'],
      outcome: 'partly',
      text: enFr('Horns stay for danger and for fog.', 'Les sirènes restent permises en cas de danger et de brume.'),
      reason: enFr(
        'A horn wakes more people than any other sound. In fog it is the only warning that small boats get.',
        'Une sirène réveille plus de gens que tout autre bruit. Dans la brume, c’est le seul avertissement des petits bateaux.',
      ),
      body: enFr('City council', 'Conseil municipal'),
      delivery: 'planned',
      due: -3,
    },
    {
      title: enFr('Loading goes on at night', 'Le chargement continue la nuit'),
      themes: ['same', 'windows'],
      outcome: 'not_taken_up',
      reason: enFr(
        'A ship that waits costs 31,000 dollars a day and would go to another harbour. With the sudden sounds gone, we measure again next summer.',
        'Un navire qui attend coûte 31 000 dollars par jour et irait dans un autre port. Une fois les bruits soudains disparus, nous mesurerons de nouveau l’été prochain.',
      ),
      body: enFr('City council', 'Conseil municipal'),
      delivery: 'stopped',
    },
  ],
}

export const DYFFRYN_HEARD: DemoHeard = {
  project: 'stryd-fawr',
  survey: 'wyth-dydd-sadwrn',
  question: 'q_newid',
  decided: -26,
  receipt: 'STRD-FAWR-SADW-2026',
  report: {
    after: 3,
    summary: cyEn(
      '## Yn gryno\n\nCaeodd Stryd Fawr i geir am wyth dydd Sadwrn. Dyma a ddywedodd pobl wedyn, a’r hyn a ddaw nesaf.\n\n- Hoffai llawer weld to dros y sgwâr.\n- Roedd rhai siopau’n poeni am golli busnes.',
      '## In short\n\nStryd Fawr was closed to cars on eight Saturdays. This is what people said afterwards, and what comes next.\n\n- Many would like a roof over the square.\n- Some shops feared for their trade.',
    ),
    figures: [{ question: 'q_cau', words: cyEn('Barn pobl am gau’r stryd eto.', 'What people think of closing the street again.') }],
    themes: ['to'],
    steps: [],
  },
  receiptSays: 'To dros y sgwâr.',
  themes: [
    {
      name: 'to',
      title: cyEn('To dros y sgwâr', 'A roof over the square'),
      stance: 'suggestion',
      said: { cy: ['To dros y sgwâr.'], en: ['A roof over the square.'] },
    },
    {
      name: 'meinciau',
      title: cyEn('Mwy o feinciau', 'More benches'),
      stance: 'suggestion',
      said: { cy: ['Mwy o feinciau â chefn iddynt.'], en: ['More benches with backs.'] },
    },
    {
      name: 'llwytho',
      title: cyEn('Lle i lwytho nwyddau trwm', 'Somewhere to load heavy goods'),
      stance: 'concern',
      said: { cy: ['Lle i lwytho bwyd anifeiliaid.'], en: ['Somewhere to load animal feed.'] },
    },
    {
      name: 'swn',
      title: cyEn('Sŵn y generaduron', 'The noise of the generators'),
      stance: 'concern',
      said: { cy: ['Llai o sŵn o’r generaduron.'], en: ['Less noise from the generators.'] },
    },
    {
      name: 'toiledau',
      title: cyEn('Toiledau ar y Sadwrn', 'Toilets on a Saturday'),
      stance: 'suggestion',
      said: { cy: ['Toiledau ar agor ar y Sadwrn.'], en: ['Toilets open on a Saturday.'] },
    },
    {
      name: 'hyfryd',
      title: cyEn('Dim byd i’w newid', 'Nothing to change'),
      stance: 'for',
      said: { cy: ['Dim byd, roedd yn hyfryd.'], en: ['Nothing, it was lovely.'] },
    },
    {
      name: 'lleol',
      title: cyEn('Stondinau o’r cwm', 'Stalls from the valley'),
      stance: 'suggestion',
      said: { en: ['More stalls from the valley and fewer from away.'] },
    },
  ],
  decisions: [
    {
      title: cyEn('To gwydr dros sgwâr y farchnad', 'A glass roof over the market square'),
      themes: ['to'],
      outcome: 'taken_up',
      reason: cyEn(
        'Bu’n bwrw glaw ar bump o’r wyth dydd Sadwrn, a dywedodd mwy ohonoch hyn na dim arall.',
        'It rained on five of the eight Saturdays, and more of you said this than anything else.',
      ),
      body: cyEn('Y Cabinet', 'The Cabinet'),
      delivery: 'under_way',
      note: cyEn('Mae’r sylfeini wedi’u gosod.', 'The foundations are laid.'),
      due: 60,
    },
    {
      title: cyEn('Man casglu y tu ôl i’r neuadd', 'A collection point behind the hall'),
      themes: ['llwytho'],
      outcome: 'taken_up',
      reason: cyEn(
        'Ni all y siopau na’r ffermydd wneud hebddo: ni ellir cario bwyd anifeiliaid i’r maes parcio.',
        'Neither shops nor farms can do without it: animal feed cannot be carried to the car park.',
      ),
      body: cyEn('Y Cabinet', 'The Cabinet'),
      delivery: 'done',
      note: cyEn('Ar agor, ac am ddim.', 'Open, and free of charge.'),
    },
    {
      title: cyEn('Deuddeg o feinciau a thoiledau ar agor', 'Twelve benches, and toilets open'),
      themes: ['meinciau', 'toiledau'],
      outcome: 'partly',
      reason: cyEn(
        'Bydd y toiledau ar agor bob dydd Sadwrn. Nid oes lle i fwy na deuddeg o feinciau heb rwystro’r ambiwlans.',
        'The toilets open every Saturday. There is no room for more than twelve benches without blocking the ambulance.',
      ),
      body: cyEn('Y Cabinet', 'The Cabinet'),
      delivery: 'planned',
      due: -4,
    },
    {
      title: cyEn('Trydan yn lle generaduron', 'Mains power instead of generators'),
      themes: ['swn'],
      outcome: 'later',
      reason: cyEn(
        'Rhaid codi’r stryd i osod ceblau, a gwnawn hynny gyda’r gwaith dŵr y flwyddyn nesaf.',
        'The street must be dug up for cables, and we do that with the water works next year.',
      ),
      body: cyEn('Y Cabinet', 'The Cabinet'),
      delivery: 'planned',
      due: 400,
    },
    {
      title: cyEn('Dewis stondinau', 'Choosing the stalls'),
      themes: ['lleol', 'hyfryd'],
      outcome: 'out_of_scope',
      reason: cyEn(
        'Cymdeithas y farchnad sy’n dewis y stondinau, nid y Cyngor. Rydym wedi anfon eich geiriau ati.',
        'The market association chooses the stalls, not the Council. We have sent it your words.',
      ),
      body: cyEn('Y Cabinet', 'The Cabinet'),
      delivery: 'stopped',
    },
  ],
}
