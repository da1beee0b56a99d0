/** One recognized character. */
export interface ReadCharacter {
  readonly character: string;
  /** Position of its middle along the line: 0 at the start, 1 at the end. */
  readonly at: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Position of a line of text in an image, in pixels; it may be slanted. */
export interface TextRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Extent along the line. */
  readonly length: number;
  /** Extent across the line. */
  readonly height: number;
  /** Angle of the line against the image's rows, in radians, clockwise. */
  readonly angle: number;
}

/** A line of text, or a contiguous part of one. */
export interface TextLine {
  readonly region: TextRegion;
  /** At least one. */
  readonly characters: readonly ReadCharacter[];
}
