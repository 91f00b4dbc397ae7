import type { Translated } from '#app/lib/translated.ts'

export interface OwnItem {
  value: string
  label: Translated
}

/** What LimeSurvey calls its types of questions. */
export const TYPE_NAMES: Record<string, string> = {
  '1': 'Array dual scale (1)',
  '5': '5 point choice (5)',
  A: 'Array (5 point choice) (A)',
  B: 'Array (10 point choice) (B)',
  C: 'Array (Yes/No/Uncertain) (C)',
  D: 'Date/Time (D)',
  E: 'Array (Increase/Same/Decrease) (E)',
  F: 'Array (F)',
  G: 'Gender (G)',
  H: 'Array by column (H)',
  I: 'Language switch (I)',
  K: 'Multiple numerical input (K)',
  L: 'List (radio) (L)',
  M: 'Multiple choice (M)',
  N: 'Numerical input (N)',
  O: 'List with comment (O)',
  P: 'Multiple choice with comments (P)',
  Q: 'Multiple short text (Q)',
  R: 'Ranking (R)',
  S: 'Short free text (S)',
  T: 'Long free text (T)',
  U: 'Huge free text (U)',
  X: 'Text display (X)',
  Y: 'Yes/No (Y)',
  '!': 'List (dropdown) (!)',
  ':': 'Array (Numbers) (:)',
  ';': 'Array (Texts) (;)',
  '|': 'File upload (|)',
  '*': 'Equation (*)',
}

export const COMMENT_LABEL = { en: 'Comment', 'fr-CA': 'Commentaire', cy: 'Sylw' }
export const GENDERS: readonly OwnItem[] = [
  { value: 'F', label: { en: 'Female', 'fr-CA': 'Femme', cy: 'Benyw' } },
  { value: 'M', label: { en: 'Male', 'fr-CA': 'Homme', cy: 'Gwryw' } },
]
export const YES_UNCERTAIN_NO: readonly OwnItem[] = [
  { value: 'Y', label: { en: 'Yes', 'fr-CA': 'Oui', cy: 'Ydw' } },
  { value: 'U', label: { en: 'Uncertain', 'fr-CA': 'Incertain', cy: 'Ansicr' } },
  { value: 'N', label: { en: 'No', 'fr-CA': 'Non', cy: 'Nac ydw' } },
]
export const MORE_SAME_LESS: readonly OwnItem[] = [
  { value: 'I', label: { en: 'Increase', 'fr-CA': 'Augmenter', cy: 'Cynyddu' } },
  { value: 'S', label: { en: 'Same', 'fr-CA': 'Sans changement', cy: 'Yr un fath' } },
  { value: 'D', label: { en: 'Decrease', 'fr-CA': 'Diminuer', cy: 'Lleihau' } },
]
