package dev.berth.policy.network;

import java.util.ArrayList;
import java.util.List;

/**
 * Matrices of one computation, kept for the next, which asks for the same shapes in the same order.
 * Fresh memory has to be fetched into the processor's caches first, an eighth of a gradient step.
 *
 * <p>Thread rule: one thread.
 */
public final class Workspace {
  private final List<Matrix> matrices = new ArrayList<>();
  private final Product product = new Product();
  private final Runnable between;
  private int taken;

  public Workspace() {
    this(() -> {});
  }

  /**
   * @param between called whenever a matrix is taken: a computation may rest there
   */
  public Workspace(Runnable between) {
    this.between = between;
  }

  Product product() {
    return product;
  }

  /** All matrices may be taken again. */
  public void restart() {
    taken = 0;
  }

  /** A matrix nobody has taken since {@link #restart}; what stands in it has no meaning. */
  Matrix matrix(int height, int width) {
    between.run();
    if (taken == matrices.size()) {
      matrices.add(new Matrix(height, width));
    } else if (!matrices.get(taken).hasShape(height, width)) {
      matrices.set(taken, new Matrix(height, width));
    }
    return matrices.get(taken++);
  }
}
