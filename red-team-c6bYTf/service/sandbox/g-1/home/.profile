. ~/evil
