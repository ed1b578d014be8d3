BOTS = {"random": lambda view, answers, rng: rng.choice(answers), "steady": lambda view, answers, rng: rng.choice(answers)}
