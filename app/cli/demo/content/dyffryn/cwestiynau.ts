import { cyEn } from '../texts.ts'
import type { DemoQuestions } from '../types.ts'

/** Questions about the valley bus, in Welsh and English. */
export const busQuestions: DemoQuestions = {
  project: 'bws-y-cwm',
  activity: {
    slug: 'cwestiynau',
    title: cyEn('Gofynnwch am y bws', 'Ask about the bus'),
    intro: cyEn(
      'Gofynnwch i’r tîm trafnidiaeth unrhyw beth am y bws newydd. Os oes rhywun wedi gofyn eisoes, ymunwch â’r cwestiwn ac fe gewch chithau’r ateb.',
      'Ask the transport team anything about the new bus. If somebody has asked already, join their question and you get the answer too.',
    ),
    categories: [
      { id: 'times', title: cyEn('Amserau', 'Times') },
      { id: 'stops', title: cyEn('Arosfannau', 'Stops') },
      { id: 'fares', title: cyEn('Tocynnau', 'Fares') },
      { id: 'access', title: cyEn('Hygyrchedd', 'Accessibility') },
    ],
  },
  team: cyEn('Y tîm trafnidiaeth', 'The transport team'),
  declinedReason: cyEn(
    'Mae’n enwi gyrrwr. Gofynnwch eto heb yr enw ac fe atebwn.',
    'It names a driver. Ask again without the name and we will answer.',
  ),
  questions: [
    {
      language: 'cy',
      category: 'times',
      title: 'Fydd y bws olaf yn aros am y trên o Gaerdydd?',
      body: 'Mae’r trên hanner munud yn hwyr bob nos, ac mae’r bws yn mynd.',
      name: 'Eleri',
      day: -26,
      joined: 31,
      answer: {
        day: -20,
        text: cyEn(
          'Bydd. Bydd y bws olaf yn aros hyd at ddeng munud am y trên, ac mae hynny yn y cytundeb newydd.',
          'Yes. The last bus will wait up to ten minutes for the train, and the new contract says so.',
        ),
      },
      isFrequentlyAsked: true,
    },
    {
      language: 'en',
      category: 'fares',
      title: 'Can I pay by phone, or do I need cash?',
      body: '',
      day: -24,
      joined: 17,
      answer: {
        day: -17,
        text: cyEn(
          'Gallwch dalu â ffôn, cerdyn neu arian parod. Fydd neb yn cael ei adael wrth yr arhosfan heb newid mân.',
          'You can pay by phone, by card or in cash. Nobody will be left at the stop for want of change.',
        ),
      },
    },
    {
      language: 'cy',
      category: 'access',
      title: 'Oes lle i ddwy gadair olwyn ar yr un bws?',
      body: 'Mae fy chwaer a minnau’n defnyddio cadair olwyn. Heddiw mae’n rhaid i un ohonom aros am y bws nesaf.',
      day: -22,
      joined: 12,
      answer: {
        day: -13,
        text: cyEn(
          'Oes, ar bob bws newydd: dau le i gadair olwyn, ac un arall i bram. Does dim rhaid archebu.',
          'Yes, on every new bus: two wheelchair spaces, and another for a pram. You do not need to book.',
        ),
      },
    },
    {
      language: 'en',
      category: 'stops',
      title: 'Why does the bus not stop at the health centre?',
      body: 'It drives straight past the gate, and the nearest stop is up the hill.',
      name: 'Joan',
      day: -19,
      joined: 24,
      isLate: true,
    },
    {
      language: 'cy',
      category: 'stops',
      title: 'A fydd golau yn arhosfan Blaen-y-Nant?',
      body: '',
      day: -15,
      joined: 9,
      answer: {
        day: -8,
        text: cyEn(
          'Bydd, erbyn y gaeaf nesaf. Golau haul a batri fydd e, felly does dim angen cloddio’r ffordd.',
          'Yes, by next winter. It will run on sunlight and a battery, so the road need not be dug up.',
        ),
      },
    },
    {
      language: 'en',
      category: 'times',
      title: 'Is a Sunday bus completely off the table?',
      body: 'My shift at the hospital starts at seven.',
      day: -11,
      joined: 22,
      isAssigned: true,
    },
    {
      language: 'cy',
      category: 'access',
      title: 'Alla i gael cerdyn i ofalwr fy mab?',
      body: 'Mae fy mab yn un ar bymtheg ac ni all deithio ar ei ben ei hun. Hoffwn i’r ateb ddod ataf i yn unig.',
      day: -9,
      joined: 0,
      isFromDemoParticipant: true,
      answer: {
        day: -6,
        isPrivate: true,
        text: cyEn(
          'Gallwch. Mae gan eich mab hawl i gerdyn cydymaith, sy’n gadael i ofalwr deithio am ddim gydag ef. Dewch â llythyr gan yr ysgol neu’r meddyg i’r llyfrgell.',
          'Yes. Your son is entitled to a companion card, which lets a carer travel free with him. Bring a letter from the school or the doctor to the library.',
        ),
      },
    },
    {
      language: 'cy',
      category: 'times',
      title: 'Pam mae Dewi bob amser yn gadael yn gynnar?',
      body: 'Gyrrwr y bws chwarter i wyth.',
      day: -8,
      joined: 0,
      isDeclined: true,
    },
    {
      language: 'en',
      category: 'fares',
      title: 'Will a child’s ticket really be one pound, even to Cardiff?',
      body: 'The leaflet says “to anywhere”.',
      name: 'Owain',
      day: -7,
      joined: 14,
      answer: {
        day: -2,
        text: cyEn(
          'Punt i bobman ar fysiau’r cwm. Mae’r trên i Gaerdydd yn docyn arall, ond rydym yn trafod un tocyn ar gyfer y ddau.',
          'One pound to anywhere on the valley’s buses. The train to Cardiff is another ticket, but we are talking about one ticket for both.',
        ),
      },
    },
    {
      language: 'cy',
      category: 'stops',
      title: 'Fydd y bws yn dal i fynd heibio’r ysgol yn ystod y gwyliau?',
      body: '',
      name: 'Rhys',
      day: -4,
      joined: 5,
      isAssigned: true,
    },
    {
      language: 'en',
      category: 'access',
      title: 'Can my guide dog have a seat space in the rush hour?',
      body: 'There is not always room on the floor.',
      day: -2,
      joined: 3,
    },
    {
      language: 'cy',
      category: 'times',
      title: 'Pryd fydd yr amserlen ddrafft i’w gweld yn y llyfrgell?',
      body: 'Does gan fy mam ddim rhyngrwyd.',
      day: -1,
      joined: 0,
      isHeld: true,
    },
  ],
}
