/** Labels of options that other tools add by themselves. */
export const OTHER_LABEL = { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }
export const NONE_LABEL = { en: 'None of these', 'fr-CA': 'Aucun de ces choix', cy: 'Dim un o’r rhain' }
export const REFUSE_LABEL = { en: 'Prefer not to say', 'fr-CA': 'Je préfère ne pas répondre', cy: 'Gwell gen i beidio â dweud' }
export const UNSURE_LABEL = { en: 'Don’t know', 'fr-CA': 'Je ne sais pas', cy: 'Ddim yn gwybod' }
/** Questions between the copies of what repeats. */
export const ADD_FIRST_LABEL = { en: 'Do you want to add one?', 'fr-CA': 'Voulez-vous en ajouter?', cy: 'Ydych chi am ychwanegu un?' }
export const ADD_ANOTHER_LABEL = {
  en: 'Do you want to add another one?',
  'fr-CA': 'Voulez-vous en ajouter une autre fois?',
  cy: 'Ydych chi am ychwanegu un arall?',
}
