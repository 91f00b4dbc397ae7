import type { Option } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { DemoSurvey } from './types.ts'

type Translate = (en: string, fr: string, cy: string) => Translated

/** Creates translated texts in the languages of one site. */
const createTranslate =
  (languages: readonly Language[]): Translate =>
  (en, fr, cy) =>
    Object.fromEntries(Object.entries({ en, 'fr-CA': fr, cy }).filter(([language]) => languages.includes(language as Language)))

interface QuestionSurveySettings {
  slug: string
  languages: readonly Language[]
  /** Addresses of two drawings of the site. */
  pictures: [string, string]
  /** Written answers by question, in the site's languages. */
  words: NonNullable<DemoSurvey['crowd']>['words']
}

/** A survey about the way to a bus stop that uses every question type, with conditions that depend on earlier answers. */
export function buildEveryQuestionSurvey({ slug, languages, pictures, words }: QuestionSurveySettings): DemoSurvey {
  const t = createTranslate(languages)
  const option = (id: string, en: string, fr: string, cy: string): Option => ({ id: `o_${id}`, label: t(en, fr, cy) })
  const modes = [
    option('foot', 'On foot', 'À pied', 'Ar droed'),
    option(
      'wheels',
      'With a wheelchair, walker or stroller',
      'Avec un fauteuil roulant, une marchette ou une poussette',
      'Gyda chadair olwyn, ffrâm neu goets',
    ),
    option('bike', 'By bicycle', 'À vélo', 'Ar feic'),
    option('car', 'By car', 'En voiture', 'Mewn car'),
  ]
  const agreement = [
    option('no', 'Disagree', 'Pas d’accord', 'Anghytuno'),
    option('half', 'In between', 'Entre les deux', 'Rhwng y ddau'),
    option('yes', 'Agree', 'D’accord', 'Cytuno'),
  ]
  return {
    slug,
    title: t('The way to your stop', 'Le chemin jusqu’à votre arrêt', 'Y ffordd i’ch arhosfan'),
    intro: t(
      'A short walk through everything that lies between your door and the bus. What you are asked depends on what you say.',
      'Un petit parcours de tout ce qui se trouve entre votre porte et l’autobus. Les questions dépendent de vos réponses.',
      'Taith fer drwy bopeth sydd rhwng eich drws a’r bws. Mae’r hyn a ofynnir yn dibynnu ar yr hyn a ddywedwch.',
    ),
    thanks: t(
      'Thank you. Somebody from the street team will walk the ways that were named most often.',
      'Merci. Une personne de l’équipe parcourra les chemins les plus souvent nommés.',
      'Diolch. Bydd rhywun o’r tîm strydoedd yn cerdded y ffyrdd a enwyd amlaf.',
    ),
    status: 'published',
    access: 'anyone',
    anonymous: true,
    minutes: 8,
    pages: [
      {
        id: 'p_way',
        title: t('Your way', 'Votre chemin', 'Eich ffordd'),
        questions: [
          {
            id: 'q_read',
            type: 'info',
            title: t('Before you start', 'Avant de commencer', 'Cyn i chi ddechrau'),
            text: t(
              'Think of the stop you use most. If you use none, think of the one you would use.',
              'Pensez à l’arrêt que vous utilisez le plus. Si vous n’en utilisez aucun, pensez à celui que vous utiliseriez.',
              'Meddyliwch am yr arhosfan a ddefnyddiwch fwyaf. Os nad ydych yn defnyddio un, meddyliwch am yr un y byddech yn ei defnyddio.',
            ),
            picture: {
              url: pictures[0],
              alt: t('Drawing of a bus on its street', 'Dessin d’un autobus dans sa rue', 'Darlun o fws ar ei stryd'),
            },
          },
          {
            id: 'q_agree',
            type: 'consent',
            required: true,
            title: t(
              'I agree that my answers are published as totals',
              'J’accepte que mes réponses soient publiées sous forme de totaux',
              'Rwy’n cytuno i’m hatebion gael eu cyhoeddi fel cyfansymiau',
            ),
          },
          {
            id: 'q_mode',
            type: 'one_choice',
            required: true,
            title: t('How do you get to your stop?', 'Comment vous rendez-vous à votre arrêt?', 'Sut ydych chi’n cyrraedd eich arhosfan?'),
            options: modes,
          },
          {
            id: 'q_minutes',
            type: 'number',
            title: t('How many minutes does it take?', 'Combien de minutes cela prend-il?', 'Faint o funudau mae’n ei gymryd?'),
            min: 0,
            max: 120,
          },
          {
            id: 'q_day',
            type: 'dropdown',
            title: t('When do you go most often?', 'Quand y allez-vous le plus souvent?', 'Pryd ydych chi’n mynd amlaf?'),
            options: [
              option('morning', 'Weekday mornings', 'Les matins de semaine', 'Boreau’r wythnos'),
              option('evening', 'Weekday evenings', 'Les soirs de semaine', 'Nosweithiau’r wythnos'),
              option('weekend', 'At weekends', 'La fin de semaine', 'Ar benwythnosau'),
            ],
          },
          {
            id: 'q_time',
            type: 'time',
            title: t(
              'At what time do you leave home?',
              'À quelle heure partez-vous de chez vous?',
              'Faint o’r gloch ydych chi’n gadael cartref?',
            ),
          },
        ],
      },
      {
        id: 'p_wheels',
        title: t('On wheels', 'Sur roues', 'Ar olwynion'),
        showIf: { question: 'q_mode', is: 'any_of', options: ['o_wheels', 'o_bike'] },
        questions: [
          {
            id: 'q_obstacles',
            type: 'several_choices',
            title: t('What stands in your way?', 'Qu’est-ce qui vous barre la route?', 'Beth sydd yn eich ffordd?'),
            shuffle: true,
            options: [
              option('curbs', 'High curbs', 'Des bordures hautes', 'Cyrbau uchel'),
              option('bins', 'Bins on collection day', 'Les bacs le jour de la collecte', 'Biniau ar ddiwrnod casglu'),
              option('cars', 'Parked cars', 'Des voitures stationnées', 'Ceir wedi parcio'),
              option('snow', 'Snow, ice or leaves', 'La neige, la glace ou les feuilles', 'Eira, rhew neu ddail'),
              { id: 'o_none', label: t('Nothing', 'Rien', 'Dim byd'), exclusive: true },
            ],
          },
          {
            id: 'q_worst',
            type: 'one_choice',
            title: t('Which is the worst of these?', 'Lequel est le pire?', 'Pa un o’r rhain yw’r gwaethaf?'),
            options: [],
            carry: { question: 'q_obstacles', which: 'chosen' },
            showIf: { question: 'q_obstacles', is: 'any_of', options: ['o_curbs', 'o_bins', 'o_cars', 'o_snow'] },
          },
        ],
      },
      {
        id: 'p_stop',
        title: t('The stop itself', 'L’arrêt lui-même', 'Yr arhosfan ei hun'),
        questions: [
          {
            id: 'q_stars',
            type: 'rating',
            look: 'stars',
            title: t('How good is your stop?', 'Que vaut votre arrêt?', 'Pa mor dda yw eich arhosfan?'),
            scale: { max: 5, low: t('Poor', 'Mauvais', 'Gwael'), high: t('Excellent', 'Excellent', 'Ardderchog') },
          },
          {
            id: 'q_faces',
            type: 'rating',
            look: 'faces',
            title: t('How do you feel while waiting?', 'Comment vous sentez-vous en attendant?', 'Sut ydych chi’n teimlo wrth aros?'),
            scale: { max: 5, low: t('Ill at ease', 'Mal à l’aise', 'Anesmwyth'), high: t('At ease', 'À l’aise', 'Cysurus') },
          },
          {
            id: 'q_light',
            type: 'scale',
            title: t('How well is it lit?', 'Est-il bien éclairé?', 'Pa mor olau yw hi yno?'),
            scale: { min: 0, max: 10, low: t('Dark', 'Sombre', 'Tywyll'), high: t('Bright', 'Clair', 'Golau') },
          },
          {
            id: 'q_friend',
            type: 'nps',
            title: t(
              'Would you tell a friend to take this bus?',
              'Conseilleriez-vous cet autobus à une connaissance?',
              'A fyddech yn dweud wrth ffrind am ddal y bws hwn?',
            ),
          },
          {
            id: 'q_look',
            type: 'picture_choice',
            title: t(
              'Which drawing looks more like your street?',
              'Quel dessin ressemble le plus à votre rue?',
              'Pa ddarlun sydd debycaf i’ch stryd chi?',
            ),
            options: [
              {
                ...option('first', 'The first', 'Le premier', 'Y cyntaf'),
                picture: { url: pictures[0], alt: t('A street with a bus', 'Une rue avec un autobus', 'Stryd a bws arni') },
              },
              {
                ...option('second', 'The second', 'Le deuxième', 'Yr ail'),
                picture: { url: pictures[1], alt: t('A row of houses', 'Une rangée de maisons', 'Rhes o dai') },
              },
            ],
          },
          {
            id: 'q_agreement',
            type: 'likert',
            title: t('Do you agree?', 'Êtes-vous d’accord?', 'Ydych chi’n cytuno?'),
            rows: [
              option('safe', 'I feel safe crossing', 'Je traverse en sécurité', 'Rwy’n teimlo’n ddiogel wrth groesi'),
              option('dry', 'I stay dry', 'Je reste au sec', 'Rwy’n aros yn sych'),
              option('seat', 'I find a seat', 'Je trouve où m’asseoir', 'Rwy’n cael sedd'),
            ],
            columns: agreement,
          },
          {
            id: 'q_often',
            type: 'matrix_one',
            title: t('How often do you meet these?', 'À quelle fréquence les rencontrez-vous?', 'Pa mor aml ydych chi’n gweld y rhain?'),
            rows: [
              option('late', 'A late bus', 'Un autobus en retard', 'Bws hwyr'),
              option('full', 'A full bus', 'Un autobus plein', 'Bws llawn'),
            ],
            columns: [
              option('never', 'Never', 'Jamais', 'Byth'),
              option('some', 'Sometimes', 'Parfois', 'Weithiau'),
              option('often', 'Often', 'Souvent', 'Yn aml'),
            ],
          },
          {
            id: 'q_needs',
            type: 'matrix_several',
            title: t('What is missing, and when?', 'Que manque-t-il, et quand?', 'Beth sydd ar goll, a phryd?'),
            rows: [option('day', 'By day', 'Le jour', 'Yn y dydd'), option('night', 'By night', 'La nuit', 'Yn y nos')],
            columns: [
              option('shelter', 'Shelter', 'Un abri', 'Cysgod'),
              option('lamp', 'Light', 'De la lumière', 'Golau'),
              option('sign', 'Times on a sign', 'Les heures affichées', 'Amserau ar arwydd'),
            ],
          },
        ],
      },
      {
        id: 'p_money',
        title: t('What to build first', 'Quoi bâtir en premier', 'Beth i’w adeiladu gyntaf'),
        questions: [
          {
            id: 'q_order',
            type: 'ranking',
            title: t('Put these in order', 'Mettez-les en ordre', 'Rhowch y rhain mewn trefn'),
            options: [
              option('seats', 'Seats', 'Des sièges', 'Seddi'),
              option('trees', 'Trees', 'Des arbres', 'Coed'),
              option('ramps', 'Ramps', 'Des rampes', 'Rampiau'),
            ],
          },
          {
            id: 'q_budget',
            type: 'budget',
            measure: 'percent',
            total: 100,
            title: t('Share out the street’s budget', 'Répartissez le budget de la rue', 'Rhannwch gyllideb y stryd'),
            options: [
              option('walk', 'Footpaths', 'Trottoirs', 'Palmentydd'),
              option('stops', 'Stops', 'Arrêts', 'Arosfannau'),
              option('cross', 'Crossings', 'Traversées', 'Croesfannau'),
            ],
          },
          {
            id: 'q_share',
            type: 'slider',
            title: t(
              'How much of the street should belong to cars?',
              'Quelle part de la rue devrait revenir aux voitures?',
              'Faint o’r stryd ddylai fod i geir?',
            ),
            min: 0,
            max: 100,
            step: 5,
            unit: t('%', '%', '%'),
          },
          {
            id: 'q_more',
            type: 'yes_no',
            title: t(
              'Should the bus also run at night?',
              'L’autobus devrait-il aussi circuler la nuit?',
              'A ddylai’r bws redeg gyda’r nos hefyd?',
            ),
          },
          {
            id: 'q_until',
            type: 'date',
            title: t(
              'By which day should the work be done?',
              'Pour quelle date les travaux devraient-ils être terminés?',
              'Erbyn pa ddiwrnod y dylai’r gwaith fod wedi’i wneud?',
            ),
            showIf: { question: 'q_budget', is: 'answered' },
          },
        ],
      },
      {
        id: 'p_you',
        title: t('About you', 'À propos de vous', 'Amdanoch chi'),
        questions: [
          {
            id: 'q_place',
            type: 'place',
            title: t(
              'Where is the spot that most needs work?',
              'Où est l’endroit qui a le plus besoin de travaux?',
              'Ble mae’r man sydd fwyaf angen gwaith?',
            ),
          },
          {
            id: 'q_name',
            type: 'short_text',
            title: t('What do people call your stop?', 'Comment appelle-t-on votre arrêt?', 'Beth mae pobl yn galw’ch arhosfan?'),
            maxLength: 80,
          },
          {
            id: 'q_why',
            type: 'long_text',
            title: t(
              'You go “{{q_mode}}”. What would make it better?',
              'Vous y allez ainsi\u00A0: {{q_mode}}. Qu’est-ce qui améliorerait les choses?',
              'Eich ffordd o deithio: {{q_mode}}. Beth fyddai’n ei gwneud yn well?',
            ),
            maxLength: 1000,
          },
          {
            id: 'q_files',
            type: 'file',
            kinds: ['picture', 'pdf'],
            maxFiles: 3,
            maxMegabytes: 5,
            title: t(
              'Would you show us what you mean?',
              'Pouvez-vous nous montrer ce que vous voulez dire?',
              'A wnewch chi ddangos i ni beth rydych yn ei olygu?',
            ),
            help: t(
              'A photo of a broken kerb or a full bin, for example.',
              'Par exemple, la photo d’une bordure brisée ou d’un bac plein.',
              'Er enghraifft, llun o gwrb wedi torri neu fin llawn.',
            ),
          },
          {
            id: 'q_age',
            type: 'demographic',
            bank: 'age',
            title: t('How old are you?', 'Quel âge avez-vous?', 'Faint yw eich oed?'),
            options: [
              option('young', 'Under 25', 'Moins de 25 ans', 'O dan 25'),
              option('middle', '25 to 64', 'De 25 à 64 ans', '25 i 64'),
              option('old', '65 or over', '65 ans ou plus', '65 neu hŷn'),
              option('quiet', 'I would rather not say', 'Je préfère ne pas le dire', 'Byddai’n well gen i beidio â dweud'),
            ],
          },
          {
            id: 'q_postcode',
            type: 'address',
            ask: 'postcode',
            title: t('What is your postal code?', 'Quel est votre code postal?', 'Beth yw eich cod post?'),
          },
          {
            id: 'q_mail',
            type: 'email',
            title: t(
              'May we write to you? Your email address',
              'Pouvons-nous vous écrire? Votre adresse courriel',
              'Gawn ni ysgrifennu atoch? Eich cyfeiriad ebost',
            ),
            showIf: { question: 'q_why', is: 'answered' },
          },
          {
            id: 'q_phone',
            type: 'phone',
            title: t('Or your phone number', 'Ou votre numéro de téléphone', 'Neu eich rhif ffôn'),
            showIf: { question: 'q_mail', is: 'unanswered' },
          },
        ],
      },
    ],
    crowd: {
      people: 64,
      usual: {
        q_mode: { o_foot: 6, o_wheels: 2, o_bike: 2, o_car: 1 },
        q_minutes: 9,
        q_day: { o_morning: 5, o_evening: 3, o_weekend: 2 },
        q_stars: 3,
        q_faces: 3.2,
        q_light: 5,
        q_friend: 7,
        q_share: 35,
        q_more: { yes: 3, no: 2 },
        q_obstacles: { o_curbs: 0.5, o_bins: 0.4, o_cars: 0.4, o_snow: 0.3, o_none: 0.08 },
        q_look: { o_first: 0.7, o_second: 0.3 },
        q_budget: { o_walk: 4, o_stops: 3, o_cross: 3 },
        q_place: 0.6,
        q_name: 0.5,
        q_why: 0.4,
      },
      kinds: [
        { name: 'all', share: 3 },
        { name: 'wheels', share: 1, leans: { q_mode: { o_wheels: 6 }, q_stars: -1, q_faces: -1 } },
      ],
      words,
    },
  }
}
