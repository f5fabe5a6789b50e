// A line of the feed, and its topic.

/** The topics of the feed's lines, to choose from. */
export type Topic = 'race' | 'laps' | 'contacts' | 'control' | 'people' | 'notices';

export interface FeedLine {
  topic: Topic;
  text: string;
  player: number; // that it is about; 0: nobody
  loud: boolean; // stands out
}

export type NameOf = (player: number) => string;

export function about(topic: Topic, player: number, text: string, loud = false): FeedLine {
  return { topic, text, player, loud };
}
