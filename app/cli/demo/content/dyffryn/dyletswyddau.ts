/** What is recorded about the duties of a consultation. The team writes in Welsh. */
export interface DemoDuties {
  project: string
  openToChange: string
  notOpen: string
  reasons: string
  equality: string
  welshEffects: string
  survey: string
  /** Ids of questions of that survey. */
  effectsQuestion?: string
  improvementsQuestion?: string
  /** Why the project was published with something missing. */
  waiver?: { missing: 'welsh-questions'[]; reason: string; day: number }
}

export const DYFFRYN_DUTIES: readonly DemoDuties[] = [
  {
    project: 'stryd-fawr',
    openToChange: 'Pa mor aml y bydd y stryd ar gau i geir, ar ba ddyddiau, a beth sy’n digwydd arni.',
    notOpen: 'Mae mynediad i ambiwlansys a bysiau’n aros bob amser, am ei fod yn ofynnol yn ôl y gyfraith.',
    reasons:
      'Roedd yr wyth dydd Sadwrn yn arbrawf. Mae’r adroddiad yn dangos nifer yr ymwelwyr, y llwytho a’r traffig ar y strydoedd cyfagos.',
    equality:
      'Gallai cau’r stryd ei gwneud yn anoddach i bobl anabl barcio gerllaw. Cadwyd chwe lle i ddeiliaid Bathodyn Glas yn Lôn y Capel.',
    welshEffects:
      'Roedd mwy o sgwrsio yn Gymraeg ar y stryd nag ar ddydd Sadwrn arferol, yn ôl y stondinwyr. Gallai stondinau o bell ddod â llai o Gymraeg, felly mae arwyddion y stondinau’n ddwyieithog.',
    survey: 'wyth-dydd-sadwrn',
    effectsQuestion: 'q_cymraeg',
    improvementsQuestion: 'q_mwy_o_gymraeg',
  },
  {
    project: 'bws-y-cwm',
    openToChange: 'Amserlen y bysiau, y llwybr drwy’r pentrefi a lle mae’r arosfannau newydd.',
    notOpen: 'Y gyllideb, sydd wedi’i phennu tan ddiwedd y flwyddyn ariannol.',
    reasons: 'Mae contract presennol y bysiau’n dod i ben. Mae’r ddwy ddogfen yn rhoi’r costau a nifer y teithwyr.',
    equality: 'Mae pobl hŷn a phobl ifanc yn dibynnu fwyaf ar y bws. Rydym yn cynnal sesiynau yn y ganolfan ddydd ac yn yr ysgol.',
    welshEffects: 'Mae bws hwyr yn ei gwneud yn haws mynd i weithgareddau Cymraeg yn y dref gyda’r nos.',
    survey: 'eich-taith',
    waiver: {
      missing: ['welsh-questions'],
      reason:
        'Roedd yr arolwg wedi’i argraffu’n barod. Gofynnir y cwestiynau am y Gymraeg yn y sesiynau galw heibio, a chânt eu hychwanegu at yr arolwg ar-lein.',
      day: -27,
    },
  },
]
