"""DQN on CartPole-v1 as CleanRL's dqn.py does it, by commands on standard input: what `make bench-learning-speed` measures ours beside.

Usage: cleanrl_dqn.py [--single-env]. "steps N" plays N steps and learns from every tenth, "updates N" makes N gradient steps; the answer is the
seconds of CPU that they took.

Our own code after the algorithm, the settings and the structure of CleanRL (Huang et al., JMLR 2022; MIT): network 4-120-84-2, batch 128 of the
last 10,000 transitions, Adam at 2.5e-4, gamma 0.99, a hard target update every 500 steps. Without TensorBoard, which only makes it faster.
"""

import argparse
import random
import sys
import time

import gymnasium as gym
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

BUFFER = 10_000
BATCH = 128
GAMMA = 0.99
EPSILON = 0.2875  # the mean of its schedule: 1 to 0.05 over half of the run, 0.05 over the rest
TRAIN_EVERY = 10
TARGET_EVERY = 500


class VectorEnv:
    """CleanRL's environment: one CartPole in a vector of environments that count their episodes."""

    def __init__(self):
        same_step = gym.vector.AutoresetMode.SAME_STEP
        self.envs = gym.vector.SyncVectorEnv([lambda: gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))], autoreset_mode=same_step)
        self.obs, _ = self.envs.reset(seed=1)

    def sample(self) -> np.ndarray:
        return np.array([self.envs.single_action_space.sample()])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
        """Observation before, observation after, whether the pole fell."""
        obs = self.obs
        self.obs, _, fell, late, infos = self.envs.step(actions)
        after = np.stack(infos["final_obs"]) if fell[0] or late[0] else self.obs
        return obs, after, bool(fell[0])


class SingleEnv:
    """The same without what a vector of environments costs."""

    def __init__(self):
        self.env = gym.make("CartPole-v1")
        self.obs = self.env.reset(seed=1)[0][None]

    def sample(self) -> np.ndarray:
        return np.array([self.env.action_space.sample()])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
        obs = self.obs
        after, _, fell, late, _ = self.env.step(int(actions[0]))
        after = after[None]
        self.obs = self.env.reset()[0][None] if fell or late else after
        return obs, after, fell


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 2))


class Dqn:
    def __init__(self, env: VectorEnv | SingleEnv):
        self.env = env
        self.q_network = network()
        self.target_network = network()
        self.target_network.load_state_dict(self.q_network.state_dict())
        self.optimizer = torch.optim.Adam(self.q_network.parameters(), lr=2.5e-4)
        self.obs = np.zeros((BUFFER, 4), dtype=np.float32)
        self.next_obs = np.zeros((BUFFER, 4), dtype=np.float32)
        self.actions = np.zeros((BUFFER, 1), dtype=np.int64)
        self.rewards = np.ones(BUFFER, dtype=np.float32)
        self.dones = np.zeros(BUFFER, dtype=np.float32)
        self.global_step = 0
        while self.global_step < BUFFER:  # learning starts when the buffer is full
            self.play(epsilon=1)

    def play(self, epsilon: float = EPSILON) -> None:
        if random.random() < epsilon:
            actions = self.env.sample()
        else:
            with torch.no_grad():
                actions = torch.argmax(self.q_network(torch.from_numpy(self.env.obs)), dim=1).numpy()
        at = self.global_step % BUFFER
        self.obs[at], self.next_obs[at], self.dones[at] = self.env.step(actions)
        self.actions[at] = actions
        self.global_step += 1

    def step(self) -> None:
        self.play()
        if self.global_step % TRAIN_EVERY == 0:
            self.update()
        if self.global_step % TARGET_EVERY == 0:
            self.target_network.load_state_dict(self.q_network.state_dict())

    def update(self) -> None:
        drawn = np.random.randint(0, BUFFER, size=BATCH)
        with torch.no_grad():
            target_max, _ = self.target_network(torch.from_numpy(self.next_obs[drawn])).max(dim=1)
            td_target = torch.from_numpy(self.rewards[drawn]) + GAMMA * target_max * (1 - torch.from_numpy(self.dones[drawn]))
        old_val = self.q_network(torch.from_numpy(self.obs[drawn])).gather(1, torch.from_numpy(self.actions[drawn])).squeeze()
        loss = F.mse_loss(td_target, old_val)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--single-env", action="store_true", help="without gymnasium's vector of environments")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch; more than one costs more than it brings at this size")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    random.seed(1)
    np.random.seed(1)
    dqn = Dqn(SingleEnv() if args.single_env else VectorEnv())
    for line in sys.stdin:
        command, times = line.split()
        act = {"steps": dqn.step, "updates": dqn.update}[command]
        start = time.process_time()
        for _ in range(int(times)):
            act()
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
