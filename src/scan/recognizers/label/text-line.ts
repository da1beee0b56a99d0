/** One character that was read. */
export interface ReadCharacter {
  readonly character: string;
  /** Of its middle, along the line: 0 at its beginning, 1 at its end. */
  readonly at: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Where a line of text stands in an image, in pixels; it may lean. */
export interface TextRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Along the line. */
  readonly length: number;
  /** Across it. */
  readonly height: number;
  /** Of the line against the image's rows, radians, clockwise. */
  readonly angle: number;
}

/** A line of text, or what of it stands together. */
export interface TextLine {
  readonly region: TextRegion;
  /** At least one. */
  readonly characters: readonly ReadCharacter[];
}
