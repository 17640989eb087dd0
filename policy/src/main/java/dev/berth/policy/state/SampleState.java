package dev.berth.policy.state;

/** How far a node's last sample can be trusted; a missing sample is neutral, never good or bad. */
public enum SampleState {
  /** The sample is as recent as scraping allows. */
  FRESH,
  /** One or more scrapes are missing; binds and ends carry the forecast. */
  AGING,
  /** Too old to steer by: forecasts come from binds and ends alone. */
  STALE,
  /** Never seen. */
  ABSENT
}
