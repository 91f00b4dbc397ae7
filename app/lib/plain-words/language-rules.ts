/**
 * How one language is checked. The patterns look at a sentence in lower case, with straight apostrophes and its accents; those of options at
 * one option.
 */
export interface LanguageRules {
  /** A sentence with more words is long. The languages do not need as many words to say the same. */
  mostWords: number
  /** Each finds a question that suggests its answer. */
  leading: readonly RegExp[]
  /** Words for one side, and for the other. A question that has the first without the second suggests its answer. */
  sides: readonly { one: RegExp; other: RegExp }[]
  /** Questions that want a judgement or yes or no, so that one answer cannot be right for two things. */
  closed: RegExp
  /** Two things in such a question. */
  and: RegExp
  /** One thing that has the word for “and” in its name. */
  pairs: RegExp
  /** A second question in the same sentence. */
  secondQuestion: RegExp
  /** Options for people whom no other fits. */
  noneOption: RegExp
  /** Words that grade an option: “very”, “fairly”. */
  degree: RegExp
  positive: RegExp
  negative: RegExp
  /** Turns a positive option into a negative one. */
  negation: RegExp
  neutral: RegExp
}
